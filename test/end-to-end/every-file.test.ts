// Every file that the command writes is opened: the tree holds exactly what the table of decisions
// (Files) asks for, each document has the keys of the interface in their order and no other, and lists
// hold exactly the published records.

import { lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { SEARCH_SCHEMAS } from '../../src/content/contract/search-index.ts';
import { blobFile, isBlob, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { Root } from '../../src/content/tree/tree.ts';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL } from '../helpers/captured-site.ts';
import { findDocumentSchema, notFoundDocumentSchema } from '../helpers/document-schema.ts';
import {
  type ExpectedFile,
  expectedFiles,
  listRecords,
  RESOURCE_NAMES,
  type ResourceName,
  storedName,
} from '../helpers/expected-tree.ts';
import { fileOfBytes, namedBlobs, readFrom, standingBlobs } from '../helpers/packed-blobs.ts';
import { insertRow } from '../helpers/rows.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { readTree } from '../helpers/tree-files.ts';

const FIXED = ['404.json', 'manifest.json'];

const SEARCH_FILES = ['posts', 'authors', 'tags'].map((name) => `search-index/${name}/index.json`);

const summarySchema = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  counts: z.strictObject({
    authors: z.int(),
    tags: z.int(),
    pages: z.int(),
    posts: z.int(),
  }),
  names: z.array(
    z.strictObject({
      resource: z.enum(['posts', 'pages', 'tags', 'authors']),
      slug: z.string(),
      segment: z.string().regex(/^~[0-9a-f]{32}$/),
    }),
  ),
});

type CheckOptions = Parameters<typeof expectedFiles>[1] & {
  /** Slugs of each resource that are stored under another name. */
  readonly names?: readonly (readonly [ResourceName, string])[];
};

const withShell = <T>(folder: string, work: (shell: SqliteConnection) => T): T => {
  const shell = new (loadDriver())(join(folder, 'data/publication.db'));
  try {
    return work(shell);
  } finally {
    shell.close();
  }
};

/** Checks the whole tree of `folder` against its database. */
const checkTree = (folder: string, options: CheckOptions = {}): void => {
  const content = join(folder, 'output/content');
  const { names = [], listMax } = options;
  const storedSlugs = new Set(names.map(([, slug]) => slug));
  withShell(folder, (shell) => {
    const tree = readTree(content);
    const files = expectedFiles(shell, { ...(listMax && { listMax }), storedSlugs });
    const documents = [...tree.keys()].filter((name) => !/^(?:packed|images)\//.test(name));
    expect(documents.sort()).toEqual([...files.keys(), ...FIXED, ...SEARCH_FILES].sort());
    checkPacked(content);
    for (const name of SEARCH_FILES) checkSearchFile(tree, name);
    for (const [path, file] of files) checkDocument(content, { path, file, tree });
    checkFixed(tree, { shell, names });
    checkFolders(content);
  });
};

type Checked = {
  readonly path: string;
  readonly file: ExpectedFile;
  readonly tree: ReadonlyMap<string, string>;
};

const checkDocument = (content: string, { path, file, tree }: Checked): void => {
  const { resource, variant, ids, pagination, bySlug } = file;
  const text = tree.get(path) ?? '';
  const document = JSON.parse(text) as Record<string, { id: string }[]> & { meta?: unknown };
  const shape = pagination === null ? 'single' : 'list';
  const schema = findDocumentSchema(resource, variant, shape);
  const parsed = schema?.safeParse(document);
  expect(parsed?.error, path).toBeUndefined();
  // A parsed document has the keys in the schema's order, each once, and nothing between them.
  expect(text, path).toBe(JSON.stringify(parsed?.data));
  expect(document.meta, path).toEqual(pagination === null ? undefined : { pagination });
  if (resource === 'settings') return;
  expect(
    document[resource]?.map(({ id }) => id),
    path,
  ).toEqual(ids);
  if (shape === 'list') checkListed(document[resource] ?? [], { path, file, tree });
  if (bySlug === null) return;
  const { ino, nlink } = statSync(join(content, path));
  expect({ ino, nlink }, path).toEqual({ ino: statSync(join(content, bySlug)).ino, nlink: 2 });
};

/** A record says the same in a list as on its own. */
const checkListed = (records: readonly { id: string }[], { path, file, tree }: Checked): void => {
  const { resource, variant } = file;
  for (const record of records) {
    const own = `{"${resource}":[${JSON.stringify(record)}]}`;
    expect(tree.get(`${resource}/${record.id}/${variant}.json`), path).toBe(own);
  }
};

/** The files of the packed tree are those that its root leads to, or that it led to before; each has its bytes' name. */
const checkPacked = (content: string): void => {
  const read = readFrom(content);
  const root = JSON.parse(read(PACKED_ROOT_FILE) ?? '') as Root;
  const standing = standingBlobs(content);
  const named = [...namedBlobs(root, read)].map(blobFile);
  expect(named.filter((name) => !standing.has(name))).toEqual([]);
  for (const [name, bytes] of standing) expect(fileOfBytes(bytes, name.slice(-3))).toBe(name);
};

const checkSearchFile = (tree: ReadonlyMap<string, string>, path: string): void => {
  const resource = path.split('/')[1] as keyof typeof SEARCH_SCHEMAS;
  const text = tree.get(path) ?? '';
  const schema = z.strictObject({ [resource]: z.array(SEARCH_SCHEMAS[resource]) });
  expect(text, path).toBe(JSON.stringify(schema.parse(JSON.parse(text))));
};

type FixedInput = {
  readonly shell: SqliteConnection;
  readonly names: readonly (readonly [ResourceName, string])[];
};

const checkFixed = (tree: ReadonlyMap<string, string>, { shell, names }: FixedInput): void => {
  const notFound = JSON.parse(tree.get('404.json') ?? '') as unknown;
  expect(notFoundDocumentSchema.safeParse(notFound).error).toBeUndefined();
  const text = tree.get('manifest.json') ?? '';
  const summary = summarySchema.parse(JSON.parse(text));
  const counts = RESOURCE_NAMES.map((name) => [name, listRecords(shell, name).length]);
  expect(summary.counts).toEqual(Object.fromEntries(counts));
  const expected = names.map(([resource, slug]) => ({ resource, slug, segment: storedName(slug) }));
  const inOrder = (list: typeof summary.names) =>
    list.map(({ resource, slug, segment }) => `${resource} ${slug} ${segment}`).sort();
  expect(inOrder(summary.names)).toEqual(inOrder(expected));
  expect(text.length).toBeLessThan(200 + 500 * names.length);
};

/** Nothing but folders and files, and no folder that is empty. */
const checkFolders = (content: string): void => {
  for (const entry of readdirSync(content, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (lstatSync(path).isDirectory()) expect(readdirSync(path), path).not.toEqual([]);
    else expect(lstatSync(path).isFile(), path).toBe(true);
  }
};

const ALL_PAGES = '{"lists.pages": "all"}';

describe('the sample publication', () => {
  let folder = '';

  beforeAll(async () => {
    const made = suiteFolder();
    folder = made.path;
    writeFileSync(join(folder, 'prepress.config.json'), ALL_PAGES);
    await prepress(folder, ['init']);
    await prepress(folder, ['build']);
    return made.remove;
  });

  it('has every file, as the interface says', () => {
    checkTree(folder);
    const tree = readTree(join(folder, 'output/content'));
    expect(tree.size).toBeGreaterThan(200);
  });

  it('has pages of as many records as the settings say, and whole lists again when they are short', async () => {
    const documents = () =>
      [...readTree(join(folder, 'output/content'))].filter(([name]) => !isBlob(name));
    const before = documents();
    const environment = { PREPRESS_LISTS_MAX: '3' };
    await prepress(folder, ['build'], { environment });
    checkTree(folder, { listMax: 3 });
    expect([...readTree(join(folder, 'output/content')).keys()]).toEqual(
      expect.arrayContaining([
        'posts/page-3.json',
        'posts/page-2-authors-tags.json',
        'tags/page-2-public-count-posts.json',
      ]),
    );
    await prepress(folder, ['build']);
    expect(documents()).toEqual(before);
    checkTree(folder);
  });
});

const STORED_SLUGS = [
  'a/b',
  'a\\b',
  '..',
  'what?',
  '100%',
  'a:b',
  'a*b',
  'say "yes"',
  '<b>',
  'a|b',
  'tab\there',
  '.hidden',
  '_under',
  '~tilde',
  'dot.',
  'space ',
  'con',
  'LPT1.txt',
  'x'.repeat(256),
  'ü'.repeat(128),
  'cASE',
  'cafe\u0301',
  'STRASSE',
];

/** The last three are older than the slugs above that differ from them in case or normal form only. */
const PLAIN_SLUGS = [
  ...['com10', 'a.b', 'in between', '日本語', 'x'.repeat(255), 'İzmir', 'caf'],
  ...['Case', 'café', 'Straße'],
];

const idInOrder = (at: number): string => at.toString(16).padStart(24, '0');

/** In no order of bytes. */
const TITLES = ['zebra', 'Zebra', 'apple', 'Ärger', 'arger', '10', '9'];

test('a site that was imported, and slugs that no folder can be named after', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'prepress.config.json'), ALL_PAGES);
  await prepress(folder, ['import', CAPTURED_EXPORT, '--site-url', CAPTURED_SITE_URL]);
  const names = withShell(folder, (shell) => {
    const author = insertRow(shell, 'users', { slug: 'Aux' });
    const tags = ['Reise', 'REISE'].map((slug, at) =>
      insertRow(shell, 'tags', { id: idInOrder(at), slug, name: at === 0 ? 'apple' : 'Äpfel' }),
    );
    for (const [at, slug] of [...PLAIN_SLUGS, ...STORED_SLUGS].entries()) {
      const type = at % 5 === 0 ? 'page' : 'post';
      const time = `2026-01-02 10:${String(at % 7).padStart(2, '0')}:00`;
      const facts = { slug, type: 'post', status: 'published', published_at: time };
      const post = insertRow(shell, 'posts', { ...facts, id: idInOrder(at) });
      insertRow(shell, 'posts_authors', { post_id: post, author_id: author });
      insertRow(shell, 'posts_tags', { post_id: post, tag_id: tags[at % 2] });
      if (type !== 'page') continue;
      const title = TITLES[at % TITLES.length];
      insertRow(shell, 'posts', { ...facts, type, title, slug: `page ${at}?` });
    }
    // The same slug in another case, in another list: no group.
    insertRow(shell, 'posts', { slug: 'caf', type: 'page', status: 'published' });
    return namesOf(shell);
  });
  await prepress(folder, ['build']);
  checkTree(folder, { names });
  await prepress(folder, ['verify']);
});

const namesOf = (shell: SqliteConnection): [ResourceName, string][] => {
  const pages = shell
    .prepare(`SELECT slug FROM posts WHERE type = 'page' AND slug GLOB '*[?]'`)
    .pluck()
    .all() as string[];
  return [
    ...STORED_SLUGS.map((slug): [ResourceName, string] => ['posts', slug]),
    ...pages.map((slug): [ResourceName, string] => ['pages', slug]),
    ['tags', 'REISE'],
    // Of the site.
    ['tags', '_under'],
    ['authors', 'Aux'],
  ];
};
