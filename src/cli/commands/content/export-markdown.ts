// prepress export markdown: published posts and pages as Markdown files with their pictures, in a folder that is made to be
// kept in Git. The same content gives the same bytes, only what changed is written, and files of withdrawn posts are
// removed: a list in the folder names those that an export wrote. Every other file stays as it is.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { PrepressError } from '../../../base/errors.ts';
import { isInside } from '../../../base/files/inside.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { FILE_NAME_BYTES_MAX } from '../../../base/limits.ts';
import { counted, shown } from '../../../base/text/counted.ts';
import { decodeSegment } from '../../../content/paths/address.ts';
import { originalOf } from '../../../content/paths/files.ts';
import { isMedia } from '../../../content/paths/headers.ts';
import { hashedSegment } from '../../../content/paths/segments.ts';
import { toMarkdownFile } from '../../../pages/site/markdown/markdown-file.ts';
import { previewRecord, toSitePost } from '../../../pages/site/preview-record.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import { outputSettingsOf } from '../../../publish/build/output-settings.ts';
import { placeAll } from '../../../publish/build/render/segments.ts';
import { createDirTarget } from '../../../publish/deploy/dir/target.ts';
import { findLocalFile } from '../../../publish/deploy/local-files.ts';
import type { LocalFile } from '../../../publish/deploy/target.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import type { Run } from '../command.ts';
import { SERVED, throwIfInside } from '../throw-if-inside.ts';

export const exportMarkdown: Run = ({ config, ownConfig, report, args: [to = ''], options }) =>
  withWorkspace(config, async ({ store }) => {
    const { media, output, database } = dataPathsOf(ownConfig);
    const folder = resolve(to);
    const what = 'the export';
    throwIfInside(folder, [output, media], { reason: SERVED, what });
    throwIfInside(folder, dataFoldersOf(database, output), {
      reason: 'belongs to the database',
      what,
    });
    const target = createDirTarget(folder, { output });
    const earlier = readList(folder);
    const isUngated = options.ungated === true;
    const warn = (sentence: string): void => report.print(`Warning: ${sentence}`);
    const snapshot = store.snapshot();
    const written = new Set<string>();
    const files = new Set<string>();
    const pictures = new Map<string, LocalFile>();
    const putList = async (paths: Iterable<string>): Promise<void> => {
      const list = listFile(paths);
      if (isOther(folder, list, new Set([LIST]))) await target.put([list]);
    };
    /** A run that is killed leaves no file that the list does not name; it names none of anybody else. */
    const listed = new Set(earlier);
    const announce = (paths: readonly string[]): Promise<void> => {
      for (const path of paths) files.add(path);
      for (const path of paths) if (findLocalFile(folder, path) === null) listed.add(path);
      return putList(listed);
    };
    const place = async (some: readonly LocalFile[]): Promise<void> => {
      const changed = some.filter((file) => isOther(folder, file, earlier));
      if (changed.length > 0) await target.put(changed);
      for (const { path } of changed) written.add(path);
    };
    try {
      const { render } = outputSettingsOf(config, snapshot.settings());
      const link = linkerOf(render.siteUrl, media, pictures);
      const texts = RESOURCES.map((resource) => ({
        resource,
        paths: listPaths(snapshot, resource),
      }));
      await announce(texts.flatMap(({ paths }) => paths.map(([, path]) => path)));
      for (const { resource, paths } of texts) {
        for (const some of chunksOf(paths)) {
          const pathOf = new Map(some);
          const made = snapshot.sources(resource, [...pathOf.keys()]).map((source) => {
            const record = toSitePost(previewRecord(source, { ...render, isUngated }, ''));
            return link(pathOf.get(record.id) ?? '', toMarkdownFile(record, warn));
          });
          await place(made);
        }
      }
      await announce([...pictures.keys()]);
      for (const some of chunksOf([...pictures.values()])) await place(some);
    } finally {
      snapshot.close();
    }
    const removed = [...earlier].filter((path) => !files.has(path));
    if (removed.length > 0) await target.remove(removed);
    await putList(files);
    const counts = `${counted(written.size, 'file')} written, ${shown(removed.length)} removed`;
    report.print(`${folder}: ${counts}, ${shown(files.size - written.size)} unchanged.`);
    if (isUngated) report.print('It holds what only members may read: show it to nobody else.');
    report.data({ folder, written: [...written], removed, files: files.size });
    return 0;
  });

/** None where the database lies in the folder of the whole project. */
const dataFoldersOf = (database: string, output: string): string[] =>
  [dirname(database)].filter((folder) => !isInside(output, folder));

const CHUNK = 100;

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += CHUNK) yield all.slice(at, at + CHUNK);
}

const RESOURCES = ['posts', 'pages'] as const;

/** Of each record, by its id. */
const listPaths = (snapshot: Snapshot, resource: (typeof RESOURCES)[number]) =>
  placeAll(snapshot.keys(resource)).map(({ id, segment }): [id: string, path: string] => [
    id,
    `${resource}/${nameOf(segment)}`,
  ]);

const nameOf = (segment: string): string => {
  const name = `${segment}.md`;
  return Buffer.byteLength(name) > FILE_NAME_BYTES_MAX ? `${hashedSegment(segment)}.md` : name;
};

/** Makes files of texts, whose pictures lie beside them; adds those that the media folder has to `pictures`. */
const linkerOf = (siteUrl: string, media: string, pictures: Map<string, LocalFile>) => {
  const start = `${siteUrl}/content/`;
  return (path: string, text: string): LocalFile => {
    const [before = '', ...parts] = text.split(start);
    const linked = parts.map((part) => {
      const [named = ''] = PICTURE.exec(part) ?? [];
      const found = named === '' ? null : findPicture(named, media);
      if (found === null) return start + part;
      pictures.set(found.path, found);
      return `../content/${originalOf(named)}${part.slice(named.length)}`;
    });
    const bytes = Buffer.from(before + linked.join(''));
    return { path, size: bytes.length, read: () => bytes };
  };
};

const PICTURE = /^(?:images|media|files)\/[^\s"'()<>?#]+/;

const findPicture = (address: string, media: string): LocalFile | null => {
  const names = originalOf(address).split('/').map(decodeSegment);
  const path = names.join('/');
  const isPlain = names.every((name) => name && !/^\.|[/\\\0]/.test(name));
  const file = isPlain ? findLocalFile(media, path) : null;
  return file && { ...file, path: `content/${path}` };
};

const LIST = '.prepress-export.json';

/** What an export writes: a list that somebody edited removes nothing else. */
const isOwn = (path: string): boolean => {
  const [top = '', ...names] = path.split('/');
  if (names.some((name) => name === '' || name.startsWith('.'))) return false;
  if (top === 'content') return names.length > 1 && isMedia(names.join('/'));
  return /^(?:posts|pages)$/.test(top) && names.length === 1 && path.endsWith('.md');
};

const readList = (folder: string): ReadonlySet<string> => {
  const list = readJsonFile(z.object({ files: z.array(z.string()) }), join(folder, LIST));
  return new Set(list?.files.filter(isOwn));
};

const listFile = (files: Iterable<string>): LocalFile => {
  const text = `${JSON.stringify({ files: [...new Set(files)].sort() }, null, 1)}\n`;
  return { path: LIST, size: Buffer.byteLength(text), read: () => Buffer.from(text) };
};

/** Throws FILE_EXISTS for a file that no export wrote. */
const isOther = (folder: string, file: LocalFile, earlier: ReadonlySet<string>): boolean => {
  const standing = findLocalFile(folder, file.path);
  if (standing === null) return true;
  const isSame =
    standing.size === file.size && readFileSync(join(folder, file.path)).equals(file.read());
  if (isSame || earlier.has(file.path)) return !isSame;
  const sentence = `${join(folder, file.path)} was not written by an export: move it, or export to another folder.`;
  throw new PrepressError('FILE_EXISTS', sentence);
};
