// The publication that every host serves in these tests: built once for a test file, with names that are
// hard to hold, a list in pages, and a plain image.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { RESOURCES } from '../../src/content/paths/endpoints.ts';
import { SEARCHED, searchFile } from '../../src/content/paths/files.ts';
import { EVERYTHING, type Selection } from '../../src/content/paths/selection.ts';
import { SETTINGS_NAMES } from '../../src/content/paths/settings-names.ts';
import {
  ENCODINGS,
  type Encoding,
  hasSidecars,
  sidecarOf,
} from '../../src/content/paths/sidecars.ts';
import { PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { HostSite, SlugEntry, StoredName } from '../../src/publish/hosts/host.ts';
import { openManifest } from '../../src/publish/manifest/open-manifest.ts';
import { openPublication, type Publication } from '../helpers/publication.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { buildInto, testConfig } from '../helpers/tree.ts';

export const POST_ID = '64a0000000000000000000a1';
export const TAG_ID = '64a0000000000000000000b1';
export const AUTHOR_ID = '64a0000000000000000000c1';
export const UNICODE_SLUG = 'café-日本';
/** Stored as two characters for each of two letters. */
export const NFD_SLUG = 'ñandú'.normalize('NFD');
/** As long as Ghost lets a slug be; 573 bytes, which no file name can hold. */
export const LONG_SLUG = '長'.repeat(191);

/** With all that means something in the languages of hosts. */
export const ODD_SLUG = 'say "hi" $1 {x [y] 50%';

/** With what may stand in a path as it is, the last two though encodeURIComponent says otherwise. */
export const RAW_SLUG = '.con!\'()*|"';

/** Names of images that encodings change, two of them each other's. */
export const ODD_IMAGES = ['logo@2x.png', 'a b.png', 'a%20b.png', 'ä.png'];

/** The one size that is there. */
export const SMALL_PICTURE = 'images/size/w300/a.png';

/** Documents that a browser opens, among pictures and files. */
export const DRAWING = 'images/drawing.svg';
export const BOOK = 'files/book.pdf';
/** Called as a document that lies compressed. */
export const ARCHIVE = 'files/data.json.gz';
/** Beside archives of something else. */
export const DATA = 'files/data.json';

export type MatrixSite = {
  readonly basePath: string;
  /** What hosts are given of the tree. */
  readonly selection: Selection;
  /** That it was built with, and the companion server gets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** In which documents lie compressed. */
  readonly encodings: readonly Encoding[];
  /** Folder that a host serves. */
  readonly output: string;
  readonly content: string;
  readonly names: readonly StoredName[];
  readonly segments: HostSite['segments'];
  readonly treeFiles: HostSite['treeFiles'];
  readonly segmentOf: (slug: string) => string;
  readonly remove: () => void;
};

/** A blob of text and one of columns; hosts look at names alone. */
export const TEXT_BLOB = `packed/3f/${'0a'.repeat(15)}.txt`;
export const COLUMN_BLOB = `packed/c0/${'9e'.repeat(15)}.bin`;

/** Posts are nine, tags five public ones and an internal one, authors three, pages two. */
const LISTS = { 'lists.max': '2' } as const;

/** Below a base path hosts get fewer variants, and sidecars, so that both are tried in one run. */
const FEWER: Selection = { profile: 'literal', variants: ['authors', 'authors-tags'] };

type TreeFile = { readonly path: string; readonly size: number };

/** What a build has not put there; returns which files these were. */
const putPacked = (content: string, encodings: readonly Encoding[]): TreeFile[] => {
  const files: readonly (readonly [string, string | Buffer])[] = [
    ...SEARCHED.map((resource) => [searchFile(resource), `{"${resource}":[]}`] as const),
    [PACKED_ROOT_FILE, '{"format":0}'],
    [TEXT_BLOB, '{"id":[]}\n{"title":"日本"}\n'.repeat(40)],
    [COLUMN_BLOB, Buffer.from([0, 255, 31, 139, 123])],
  ];
  const absent = files.filter(([file]) => !existsSync(join(content, file)));
  for (const [file, bytes] of absent) {
    const path = join(content, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    for (const encoding of hasSidecars(file) ? encodings : []) {
      const packed = encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes);
      writeFileSync(sidecarOf(path, encoding), packed);
    }
  }
  return absent.map(([path, bytes]) => ({ path, size: Buffer.byteLength(bytes) }));
};

export type MatrixOptions = {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Puts more into the publication. */
  readonly fill?: (publication: Pick<Publication, 'insert'>) => void;
};

export const buildMatrixSite = async (
  basePath = '',
  selection = basePath === '' ? EVERYTHING : FEWER,
  { settings: given = LISTS, fill }: MatrixOptions = {},
): Promise<MatrixSite> => {
  const settings = { 'lists.pages': 'all', ...given };
  const encodings = basePath === '' ? [] : ENCODINGS;
  const { path: folder, remove } = suiteFolder();
  const publication = await openPublication(folder);
  const { insert } = publication;
  const authors = [AUTHOR_ID, '64a0000000000000000000c2', '64a0000000000000000000c3'];
  for (const [at, id] of authors.entries())
    insert('users', { id, name: `Author ${at}`, slug: `author-${at}` });
  insert('tags', { id: TAG_ID, name: 'News', slug: 'news' });
  const quiet = insert('tags', { name: 'Quiet', slug: 'quiet#1' });
  const inner = insert('tags', { name: '#inner', slug: 'hash-inner', visibility: 'internal' });
  const more = ['bells', 'rain', 'wind'].map((slug) => insert('tags', { name: slug, slug }));
  const slugs = [
    'welcome',
    UNICODE_SLUG,
    LONG_SLUG,
    'con',
    'Twin',
    'twin',
    'x.tags',
    ODD_SLUG,
    RAW_SLUG,
  ];
  for (const [at, slug] of slugs.entries()) {
    const post_id = insert('posts', {
      // The first is POST_ID; of two that differ in case the older keeps its name.
      id: `${POST_ID.slice(0, -1)}${(at + 1).toString(16)}`,
      slug,
      title: `Post ${at}`,
      status: 'published',
      published_at: `2026-01-0${at + 1}T10:00:00.000Z`,
      html: `<p>Body ${at}</p>`,
    });
    insert('posts_tags', { post_id, tag_id: at % 2 === 0 ? TAG_ID : inner });
    if (at === 0) insert('posts_tags', { post_id, tag_id: quiet, sort_order: 1 });
    const another = more[at - 1];
    if (another !== undefined) insert('posts_tags', { post_id, tag_id: another, sort_order: 2 });
    insert('posts_authors', { post_id, author_id: authors[at % 3] });
  }
  insert('posts', {
    slug: 'about',
    title: 'About',
    type: 'page',
    status: 'published',
    published_at: '2026-01-01T10:00:00.000Z',
  });
  insert('posts', {
    slug: NFD_SLUG,
    title: 'Bird',
    type: 'page',
    status: 'published',
    published_at: '2026-01-02T10:00:00.000Z',
  });
  fill?.(publication);
  const output = join(folder, 'output');
  await buildInto(publication.store, join(output, basePath), {
    config: testConfig({ ...settings, precompress: encodings.join() }),
  });
  await publication.close();
  // Hostile requests look for it, outside of what is served.
  renameSync(join(output, basePath, 'build.db'), join(folder, 'build.db'));
  const manifest = openManifest(join(folder, 'build.db'));
  const names = manifest.storedSegments();
  const segments = new Map<string, readonly SlugEntry[]>(
    RESOURCES.map((resource) => [resource, manifest.segments(resource)]),
  );
  const built = [...manifest.allFiles()];
  manifest.close();
  const content = join(output, basePath, 'content');
  mkdirSync(join(content, 'images'), { recursive: true });
  // Left by a run that broke off, or about to be placed or freed.
  mkdirSync(join(content, '.prepress-staging'));
  writeFileSync(join(content, '.prepress-staging/l1'), '{"posts":[]}');
  for (const name of ['.git/config', 'images/.git/config', ...SETTINGS_NAMES]) {
    mkdirSync(dirname(join(content, name)), { recursive: true });
    writeFileSync(join(content, name), '# Settings.');
  }
  for (const [at, name] of ['a.png', ...ODD_IMAGES].entries())
    writeFileSync(
      join(content, 'images', name),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, at]),
    );
  mkdirSync(join(content, 'images/size/w300'), { recursive: true });
  writeFileSync(join(content, SMALL_PICTURE), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 3]));
  mkdirSync(join(content, 'files'));
  writeFileSync(join(content, DRAWING), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(content, BOOK), '%PDF-1.4\n%%EOF\n');
  writeFileSync(join(content, DATA), '{"of":"an editor"}');
  writeFileSync(join(content, ARCHIVE), gzipSync('[]'));
  writeFileSync(join(content, `${DATA}.br`), brotliCompressSync('[]'));
  const packed = putPacked(content, encodings);
  const segmentOf = (slug: string): string =>
    names.find((name) => name.slug === slug)?.segment ?? slug;
  return {
    basePath,
    selection,
    settings,
    encodings,
    output,
    content,
    names,
    segments: (resource) => segments.get(resource) ?? [],
    treeFiles: () => [...built, ...packed],
    segmentOf,
    remove,
  };
};
