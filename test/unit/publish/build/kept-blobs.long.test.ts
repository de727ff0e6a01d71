// What becomes of blobs that the packed tree does not have any more: they stay for readers under way, but for everything
// that may hold a record that was taken back.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { blobFile, PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import type { Root } from '../../../../src/content/tree/tree.ts';
import { openManifest } from '../../../../src/publish/manifest/open-manifest.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import { namedBlobs, readFrom, standingBlobs } from '../../../helpers/packed-blobs.ts';
import { createPublication } from '../../../helpers/publication.ts';
import {
  type BuildOptions,
  buildInto,
  listFaults,
  readTree,
  testConfig,
} from '../../../helpers/tree.ts';

const HOUR_MS = 3_600_000;
const KEPT = { keepReplacedHours: 24, precompress: 'gzip' };
const SECRET = 'Nobody-is-to-read-this';

const emailOnly = (slug: string): string =>
  `INSERT INTO posts_meta (id, post_id, email_only) SELECT id, id, 1 FROM posts WHERE slug = '${slug}'`;

/** Forty posts and some pages in small blobs; `rounds` of edits leave blobs of that many generations. */
const createSite = async (flags: Record<string, unknown> = KEPT) => {
  const { folder, store, shell, insert } = await createPublication();
  const tag_id = insert('tags', { name: 'News', slug: 'news' });
  const author_id = insert('users', { slug: 'author' });
  const add = (slug: string, row: Record<string, unknown> = {}): string => {
    const fields = { slug, status: 'published', published_at: '2026-01-01 10:00:00' };
    const post_id = insert('posts', { ...fields, html: `<p>Text of ${slug}</p>`, ...row });
    insert('posts_tags', { post_id, tag_id });
    insert('posts_authors', { post_id, author_id });
    return post_id;
  };
  for (let at = 0; at < 40; at += 1) add(`post-${at}`, { type: at % 4 === 0 ? 'page' : 'post' });
  const tree = join(folder, 'tree');
  const content = join(tree, 'content');
  let nowMs = Date.parse('2026-03-01T00:00:00Z');
  const build = (options: BuildOptions = {}) =>
    buildInto(store, tree, {
      config: testConfig(flags),
      levels: SMALL_LEVELS,
      now: () => nowMs,
      ...options,
    });
  const root = (): Root => JSON.parse(readFrom(content)(PACKED_ROOT_FILE) ?? '') as Root;
  const named = (of = root()): string[] =>
    [...namedBlobs(of, readFrom(content))].map(blobFile).sort();
  const standing = (): string[] => [...standingBlobs(content).keys()].sort();
  const edit = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      shell.prepare("UPDATE posts SET title = title || '+' WHERE slug LIKE '%5'").run();
      await build();
    }
  };
  const faults = (config = testConfig(flags)) => listFaults(store, tree, config);
  const pass = (hours: number): void => {
    nowMs += hours * HOUR_MS;
  };
  return { store, shell, tree, content, add, build, root, named, standing, edit, faults, pass };
};

/** Everything below the packed folder, sidecars as what they hold, in which one of these stands. */
const filesWith = (content: string, needles: readonly Buffer[]): string[] =>
  [...readTree(join(content, 'packed')).keys()].filter((name) => {
    const stored = Buffer.from(readFrom(content)(`packed/${name}`) ?? '', 'latin1');
    const bytes = name.endsWith('.gz') ? gunzipSync(stored) : stored;
    return needles.some((needle) => bytes.includes(needle));
  });

/** An id as texts and as columns have it, and a text. */
const needlesOf = (id: string): Buffer[] => [Buffer.from(id), Buffer.from(id, 'hex')];

test('a reader with the root of before finds its blobs after a publish', async () => {
  const { add, build, root, named, standing, faults } = await createSite();
  await build();
  const before = root();
  add('fresh');
  await build();
  const own = named();
  const old = named(before);
  expect(old.filter((name) => !own.includes(name)).length).toBeGreaterThan(3);
  expect(standing()).toEqual([...new Set([...own, ...old])].sort());
  expect(await faults()).toEqual([]);
});

test('they go with the first publish after their hours, and at once where the setting is 0', async () => {
  const { edit, build, root, named, standing, pass } = await createSite();
  await build();
  const first = root();
  await edit(1);
  pass(23);
  await edit(1);
  const second = root();
  expect(standing()).toEqual(expect.arrayContaining(named(first)));
  pass(2);
  await edit(1);
  // What the first edit replaced is 25 hours old; what the second did is kept since two hours.
  expect(standing()).toEqual(expect.arrayContaining([...named(), ...named(second)]));
  const onlyFirst = named(first).filter(
    (name) => !named().includes(name) && !named(second).includes(name),
  );
  expect(onlyFirst.filter((name) => standing().includes(name))).toEqual([]);
  const other = await createSite({ keepReplacedHours: 0 });
  await other.build();
  await other.edit(2);
  expect(other.standing()).toEqual(other.named());
});

test('a blob that comes back is not removed when its hours are over', async () => {
  const { shell, build, named, standing, pass } = await createSite();
  await build();
  const title = shell.prepare("SELECT title FROM posts WHERE slug = 'post-5'").pluck().get();
  const set = (value: unknown) =>
    shell.prepare("UPDATE posts SET title = ? WHERE slug = 'post-5'").run(value);
  for (const value of ['Other', title]) {
    set(value);
    await build();
  }
  pass(25);
  set('Third');
  await build();
  set(title);
  await build();
  expect(standing()).toEqual(expect.arrayContaining(named()));
});

/** Leaves what a build that was killed leaves: a manifest without a state. */
const breakOff = (tree: string): void => {
  const manifest = openManifest(join(tree, 'build.db'));
  manifest.begin();
  manifest.rollback({ treeUntouched: false });
  manifest.close();
};

/** How a record is taken back, and whether it stays in the lists. */
const TAKEN_BACK = [
  ['unpublished', "UPDATE posts SET status = 'draft' WHERE slug = 'secret'", false],
  ['scheduled again', "UPDATE posts SET status = 'scheduled' WHERE slug = 'secret'", false],
  ['deleted', "DELETE FROM posts WHERE slug = 'secret'", false],
  ['gated', "UPDATE posts SET visibility = 'members' WHERE slug = 'secret'", true],
  [
    'cut',
    "UPDATE posts SET visibility = 'paid', html = '<!--members-only-->' || html WHERE slug = 'secret'",
    true,
  ],
  ['e-mail only', emailOnly('secret'), false],
] as const;

/** What takes a record back: an edit, or a full build that trusts the tree before it or not. */
const BUILDS: Readonly<Record<string, BuildOptions>> = {
  'an edit': {},
  'other settings': { config: testConfig({ ...KEPT, siteUrl: 'https://other.test' }) },
  'a full build': { full: true },
};

test.each(
  TAKEN_BACK.flatMap((row) => [
    ...Object.keys(BUILDS).map((kind) => ['post', kind, ...row] as const),
    ...(row[0] === 'gated' || row[0] === 'deleted' ? [['page', 'an edit', ...row] as const] : []),
  ]),
)('a %s leaves nothing behind in %s when it is %s', async (type, kind, _how, sql, isListed) => {
  const { shell, content, add, build, edit, named, standing } = await createSite();
  const id = add('secret', { type, html: `<p>${SECRET}</p>`, plaintext: SECRET });
  await build();
  await edit(2);
  const hidden = [Buffer.from(SECRET), ...(isListed ? [] : needlesOf(id))];
  // A leaf, its plain text and their sidecars, of several generations.
  expect(filesWith(content, hidden).length).toBeGreaterThan(isListed ? 2 : 8);
  shell.exec(sql);
  expect((await build(BUILDS[kind])).kind).toBe(kind === 'an edit' ? 'incremental' : 'full');
  expect(filesWith(content, hidden)).toEqual([]);
  expect(standing()).toEqual(named());
});

test('what strangers read of a gated body removes what is kept when it changes, and nothing else of its post does', async () => {
  const { shell, add, build, named, standing } = await createSite();
  const html = `<p>All</p><p>${SECRET}</p><!--members-only--><p>Paid</p>`;
  add('cut', { visibility: 'paid', html });
  await build();
  for (const title of ['Other', 'Third']) {
    const before = standing();
    shell.prepare("UPDATE posts SET title = ? WHERE slug = 'cut'").run(title);
    await build(title === 'Other' ? {} : { full: true });
    expect(standing()).toEqual([...new Set([...named(), ...before])].sort());
    expect(before.some((name) => !named().includes(name))).toBe(true);
  }
  const less = html.replace(`<p>${SECRET}</p>`, '');
  shell.prepare("UPDATE posts SET html = ? WHERE slug = 'cut'").run(less);
  await build();
  expect(standing()).toEqual(named());
});

/** What makes a build a full one, by how it is made so. */
const FULL: Readonly<Record<string, BuildOptions>> = {
  'another site address': { config: testConfig({ ...KEPT, siteUrl: 'https://other.test' }) },
  'another lists.max': { config: testConfig({ ...KEPT, 'lists.max': 7 }) },
  'other lists.pages': { config: testConfig({ ...KEPT, 'lists.pages': 'all' }) },
  'no search files': { config: testConfig({ ...KEPT, searchIndex: false }) },
  'other sidecars': { config: testConfig({ ...KEPT, precompress: 'br' }) },
  'no sidecars': { config: testConfig({ keepReplacedHours: 24 }) },
  'a wish': { full: true },
  'a gap of the log': {},
  'a build that broke off': {},
};

test.each(Object.keys(FULL))('what is kept stays after a full build because of %s', async (why) => {
  const { shell, tree, build, edit, named, standing, faults, pass } = await createSite();
  await build();
  await edit(1);
  pass(2);
  const before = standing();
  const replaced = before.filter((name) => !named().includes(name));
  expect(replaced.length).toBeGreaterThan(3);
  const options = FULL[why] ?? {};
  if (why === 'a gap of the log') shell.exec("UPDATE log_state SET epoch = 'other'");
  if (why === 'a build that broke off') breakOff(tree);
  expect((await build(options)).kind).toBe('full');
  expect(standing()).toEqual([...new Set([...named(), ...before])].sort());
  expect(await faults(options.config)).toEqual([]);
  // The hours count from the build that replaced a blob.
  pass(23);
  await build({ ...options, full: true });
  expect(standing().filter((name) => replaced.includes(name))).toEqual([]);
});

test('a full build with no hours removes what is kept, and so does one that broke off over it', async () => {
  const { tree, build, edit, named, standing } = await createSite();
  await build();
  await edit(3);
  breakOff(tree);
  await build({ config: testConfig({ ...KEPT, keepReplacedHours: 0 }) });
  expect(standing()).toEqual(named());
});

test('verify names a blob of other bytes and one that is missing, kept ones too', async () => {
  const { content, build, edit, named, standing, faults } = await createSite({
    keepReplacedHours: 24,
  });
  await build();
  await edit(1);
  const [changed = '', missing = ''] = named();
  const kept = standing().filter((name) => !named().includes(name));
  const [keptChanged = '', keptMissing = ''] = kept;
  for (const name of [changed, keptChanged]) {
    const bytes = standingBlobs(content).get(name) ?? Buffer.of();
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(content, name), bytes);
  }
  for (const name of [missing, keptMissing]) rmSync(join(content, name));
  const expected = [
    ...[changed, keptChanged].map((name) => `${name}: the file has other bytes`),
    ...[missing, keptMissing].map((name) => `${name}: the file is missing`),
  ];
  expect((await faults()).sort()).toEqual(expected.sort());
  await build({ full: true, config: testConfig({ keepReplacedHours: 24 }) });
  expect(await faults()).toEqual([]);
});

test('what strangers may not read never enters the tree', async () => {
  const { content, add, build, edit, shell } = await createSite();
  const hidden = { html: `<p>${SECRET}</p>`, plaintext: SECRET };
  const unseen = [
    add('draft', { ...hidden, status: 'draft' }),
    add('scheduled', { ...hidden, status: 'scheduled' }),
    add('sent', { ...hidden, status: 'sent' }),
    add('mailed', hidden),
  ];
  shell.exec(emailOnly('mailed'));
  for (const visibility of ['members', 'paid', 'tiers', 'nonsense']) {
    add(`all-${visibility}`, { ...hidden, visibility });
    const html = `<p>All</p><!--members-only--><p>${SECRET}</p>`;
    add(`cut-${visibility}`, { html, plaintext: `All ${SECRET}`, visibility });
  }
  const gate = '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free"-->';
  add('block', {
    html: `<p>All</p>${gate}<p>${SECRET}</p><!--kg-gated-block:end-->`,
    plaintext: `All ${SECRET}`,
  });
  const needles = [Buffer.from(SECRET), ...unseen.flatMap(needlesOf)];
  await build();
  expect(filesWith(content, needles)).toEqual([]);
  expect(filesWith(content, [Buffer.from('cut-paid')]).length).toBeGreaterThan(0);
  await edit(1);
  shell.exec("UPDATE posts SET title = 'Other' WHERE slug IN ('draft', 'block', 'cut-paid')");
  await build();
  expect(filesWith(content, needles)).toEqual([]);
});

test('a build with nothing else to do writes a blob again that somebody took away', async () => {
  const { folder, store, insert } = await createPublication();
  insert('posts', { status: 'published', published_at: '2026-01-01 10:00:00', slug: 'one' });
  await buildInto(store, folder);
  const content = join(folder, 'content');
  const before = readTree(content);
  const [blob = ''] = [...before.keys()].filter((name) => /^packed\/.*\.txt$/.test(name));
  rmSync(join(content, blob));
  expect((await buildInto(store, folder)).kind).toBe('full');
  expect(readTree(content)).toEqual(before);
  expect((await buildInto(store, folder)).kind).toBe('incremental');
});
