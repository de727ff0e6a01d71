// Further names for files of the tree, for hosts that find nothing by rules: `index.html` beside the variant that it shows.
// Hosts send them as HTML, so no character of a text may begin markup there. Those in the content folder are the tree's,
// recorded or not: a record may have been lost, and what was taken back must not stay readable in them.
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withDiskErrors } from '../../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../../base/files/durability.ts';
import { makeFolder, realFolder } from '../../../base/files/make-folder.ts';
import { foldersLeftOf } from '../../../base/files/own-folders.ts';
import { removeIfEmpty } from '../../../base/files/remove-empty.ts';
import { findStat, isFile } from '../../../base/files/stat-key.ts';
import { RESOURCES, type Resource } from '../../../content/paths/endpoints.ts';
import { FIXED_FILES, idFolder, slugFolder } from '../../../content/paths/files.ts';
import { makeMtimeDistinct } from '../session/distinct-mtime.ts';
import { COPY, RECORD_ID } from '../stale/orphaned-files.ts';
import { type HostPlaces, openHostStaging } from './host-staging.ts';
import { openWrittenFiles, RECORDS } from './written-files.ts';

export type TreeCopiesInput = {
  /** The output, which the names are relative to. */
  readonly root: string;
  /** The content folder, relative to the output. */
  readonly content: string;
  /** File that keeps which names these are. */
  readonly record: string;
  /** In the order in which they are placed: what is named by others first. */
  readonly copies: readonly Copy[];
  readonly durability?: Durability;
};

type Copy = { readonly path: string; readonly source: string };

export type TreeCopiesReport = {
  readonly written: number;
  readonly removed: number;
  /** Names where a file of somebody else stands. */
  readonly blocked: readonly string[];
};

/** True when names were placed here before, also where their record was lost: they have to be kept true. */
export const hasTreeCopies = ({
  root,
  content,
  record,
}: Pick<TreeCopiesInput, 'root' | 'content' | 'record'>): boolean => {
  const { isKnown, generation, paths } = openWrittenFiles(record, realFolder(root));
  return isKnown ? generation === ASKED || paths.size > 0 : hasListCopies(root, content);
};

/** The generation of a record of copies that are asked for: before the first build there are none yet. */
const ASKED = 1;

/** The caller holds the hosts' lock. Throws OUTPUT_UNWRITABLE for the disk. */
export const placeTreeCopies = (input: TreeCopiesInput): Promise<TreeCopiesReport> =>
  withDiskErrors({ code: 'OUTPUT_UNWRITABLE', place: 'a copy' }, () => place(input));

const place = async (input: TreeCopiesInput): Promise<TreeCopiesReport> => {
  const { content, copies, durability = realDurability } = input;
  makeFolder(input.root);
  const root = realpathSync(input.root);
  const record = openWrittenFiles(input.record, root);
  const pages = pagesIn(root, input);
  const placed = [...record.paths, ...(record.isKnown ? [] : findCopies(root, content))];
  const known = new Set(placed.filter((path) => !pages.has(path)));
  const left = copies.filter(({ path }) => !pages.has(path));
  const standing = left.flatMap(({ path, source }) => {
    const from = findFile(join(root, source));
    return from === undefined ? [] : [{ path, source, from, to: findFile(join(root, path)) }];
  });
  const isEqual = ({ path, source, from, to }: (typeof standing)[number]): boolean =>
    to !== undefined &&
    ((known.has(path) && hasTimeOf(from, to)) || isCopyOf(join(root, source), join(root, path)));
  const equal = new Set(standing.filter(isEqual));
  // Outside of the content folder, what has the same bytes is taken for ours.
  const isForeign = (copy: (typeof standing)[number]): boolean =>
    copy.to !== undefined &&
    !copy.path.startsWith(`${content}/`) &&
    !known.has(copy.path) &&
    !equal.has(copy);
  const own = standing.filter((copy) => !isForeign(copy));
  const names = new Set(own.map(({ path }) => path));
  const generation = copies.length > 0 ? ASKED : 0;
  record.save(generation, [...known, ...names]);
  const changed = own.filter((copy) => !equal.has(copy));
  await writeWhole({ root, content }, changed, durability);
  const gone = [...known].filter((path) => !names.has(path));
  for (const path of gone) removeName(join(root, path));
  // A name that a power cut brings back must still be known.
  await durability.syncPaths(root, foldersLeftOf(root, gone));
  record.save(generation, names);
  return {
    written: changed.length,
    removed: gone.length,
    blocked: standing.filter(isForeign).map(({ path }) => path),
  };
};

/** Pages for people go before copies, such as a site's own 404.html. */
const pagesIn = (root: string, { content, record }: TreeCopiesInput): ReadonlySet<string> => {
  const base = dirname(content);
  if (!existsSync(join(root, base))) return new Set();
  const file = join(dirname(record), RECORDS.pages);
  const { paths } = openWrittenFiles(file, realpathSync(join(root, base)));
  return new Set([...paths].map((path) => join(base, path)));
};

const findFile = (path: string): Stats | undefined => {
  const found = findStat(path);
  return found?.isFile() === true ? found : undefined;
};

/** A copy has the time of its source; where it has another, as after a checkout, its bytes tell. */
const hasTimeOf = (from: Stats, to: Stats): boolean =>
  from.ino !== to.ino && Math.abs(from.mtimeMs - to.mtimeMs) < SAME_TIME_MS;

/** The system keeps times more finely than they can be set. */
const SAME_TIME_MS = 2;

/** Whether the file has the bytes that a copy of the source has. */
export const isCopyOf = (source: string, path: string): boolean =>
  readFileSync(path).equals(copyBytes(source));

const copyBytes = (source: string): Buffer => Buffer.from(escaped(readFileSync(source, 'utf8')));

/** In JSON these characters stand in texts alone. */
const escaped = (json: string): string =>
  json.replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });

const writeWhole = async (
  places: HostPlaces,
  copies: readonly Copy[],
  durability: Durability,
): Promise<void> => {
  const staging = openHostStaging(places);
  try {
    const written = copies.map(({ path, source }) => {
      const from = join(places.root, source);
      const temporary = staging.filesFor(path).write(copyBytes(from));
      const { atime, mtime } = statSync(from);
      utimesSync(temporary, atime, mtime);
      return { path, temporary };
    });
    const temporaries = new Set(written.map(({ temporary }) => temporary));
    if (temporaries.size > 0) await durability.syncPaths(places.root, temporaries);
    for (const { path, temporary } of written) {
      makeFolder(dirname(join(places.root, path)));
      makeMtimeDistinct(temporary, join(places.root, path));
      renameSync(temporary, join(places.root, path));
    }
  } finally {
    staging.clear();
  }
};

const removeName = (path: string): void => {
  rmSync(path, { force: true });
  removeIfEmpty(dirname(path));
};

/** True when lists and settings all have copies: a single one may be a file that someone put there. */
const hasListCopies = (root: string, content: string): boolean =>
  [...RESOURCES, 'settings'].every((folder) => isFile(join(root, content, folder, COPY)));

/** Relative to `root`. Links in place of folders are not followed. */
const findCopies = (root: string, content: string): string[] =>
  [
    ...FIXED_FILES.map(dirname),
    ...RESOURCES.flatMap((resource) => foldersOf(join(root, content), resource)),
  ]
    .map((folder) => `${content}/${folder}/${COPY}`)
    .filter((path) => isFile(join(root, path)));

const foldersOf = (folder: string, resource: Resource): string[] => {
  if (!foldersIn(folder).includes(resource)) return [];
  const names = foldersIn(join(folder, resource));
  const segments = names.includes('slug') ? foldersIn(join(folder, resource, 'slug')) : [];
  return [
    resource,
    ...names.filter((name) => RECORD_ID.test(name)).map((id) => idFolder(resource, id)),
    ...segments.map((segment) => slugFolder(resource, segment)),
  ];
};

const foldersIn = (folder: string): string[] =>
  findStat(folder)?.isDirectory() === true
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
