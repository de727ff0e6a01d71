// `client.sync`: whoever keeps what it answers has what a full read has, after any edit; an edit is read without the rest; and
// no token shows more than is published.
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Content, Delta, Resource } from '../../../../src/content/client/types.ts';
import { PACKED_ROOT_FILE } from '../../../../src/content/tree/names.ts';
import { LEVELS } from '../../../../src/publish/packed/boundaries.ts';
import { bundleClient, type ClientBundle } from '../../../helpers/client-bundle.ts';
import { openFiles } from '../../../helpers/files-host.ts';
import {
  chance,
  makeOddPublication,
  type OddPublication,
  type OddRecord,
  type OddTerm,
  type Random,
} from '../../../helpers/odd-records.ts';
import { numberedId, publicationOf } from '../../../helpers/packed-files.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';
import { suiteFolder } from '../../../helpers/suite-folder.ts';

const RESOURCES: readonly Resource[] = ['posts', 'pages', 'tags', 'authors'];

/** As the package has it. */
let bundle: ClientBundle;
beforeAll(async () => {
  const { path, remove } = suiteFolder();
  bundle = await bundleClient(join(path, 'client'));
  return remove;
});

const hostOf = () => {
  const host = openFiles();
  return { ...host, open: (): Content => bundle.openContent(host.url, { fetch: host.fetch }) };
};

type Kept = Record<Resource, Map<string, object>>;

const emptyKept = (): Kept => ({
  posts: new Map(),
  pages: new Map(),
  tags: new Map(),
  authors: new Map(),
});

const keep = (kept: Kept, delta: Delta): void => {
  for (const name of RESOURCES) {
    if (delta.isFull) kept[name].clear();
    for (const record of delta[name].upserts) kept[name].set(record.id, record);
    for (const id of delta[name].deletions) expect(kept[name].delete(id)).toBe(true);
  }
};

const plain = (kept: Kept) =>
  Object.fromEntries(RESOURCES.map((name) => [name, [...kept[name]].sort(byId)]));
const byId = ([a]: [string, object], [b]: [string, object]): number => (a < b ? -1 : 1);

const renamed = (term: OddTerm): OddTerm => ({
  ...term,
  document: { ...term.document, description: 'Renamed' },
  embedded: { ...term.embedded, bio: 'Renamed' },
});

/** Records that are new, changed, moved in time, linked to others, or gone; terms that are renamed or gone. */
const edit = (random: Random, publication: OddPublication): OddPublication => {
  const change = (terms: readonly OddTerm[]): Map<OddTerm, OddTerm | null> =>
    new Map(
      terms.map((term) => {
        const isGone = chance(random, 0.05);
        return [term, isGone ? null : chance(random, 0.2) ? renamed(term) : term];
      }),
    );
  const [tags, authors] = [change(publication.tags), change(publication.authors)];
  const now = (links: readonly OddTerm[], terms: Map<OddTerm, OddTerm | null>): OddTerm[] =>
    links.flatMap((term) => terms.get(term) ?? []);
  const next = (record: OddRecord): OddRecord[] => {
    if (chance(random, 0.05)) return [];
    const own = { ...record, tags: now(record.tags, tags), authors: now(record.authors, authors) };
    if (chance(random, 0.9)) return [own];
    const document = { ...record.document, excerpt: `Edited ${random()}` };
    return [{ ...own, document, publishedMs: record.publishedMs + (chance(random, 0.3) ? 1 : 0) }];
  };
  const more = makeOddPublication(random, 2).posts.map((post) => ({
    ...post,
    tags: [],
    authors: [],
  }));
  return {
    posts: [...publication.posts.flatMap(next), ...(chance(random, 0.5) ? more : [])],
    pages: publication.pages.flatMap(next),
    tags: [...tags.values()].flatMap((term) => term ?? []),
    authors: [...authors.values()].flatMap((term) => term ?? []),
  };
};

test(`who keeps what it answers has all there is, and nothing is told twice (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  for (let run = 0; run < 6; run += 1) {
    let publication = makeOddPublication(random, 40);
    const host = hostOf();
    const kept = emptyKept();
    let token: string | null = null;
    for (let step = 0; step < 8; step += 1) {
      host.put(publication, { settings: { title: step } });
      const delta: Delta = await host.open().sync(token);
      expect([delta.isFull, delta.settings]).toEqual([token === null, { title: step }]);
      const before = new Map(RESOURCES.flatMap((name) => [...kept[name]]));
      for (const name of delta.isFull ? [] : RESOURCES) {
        for (const record of delta[name].upserts) expect(record).not.toEqual(before.get(record.id));
      }
      keep(kept, delta);
      const whole = emptyKept();
      keep(whole, await host.open().sync());
      expect(plain(kept)).toEqual(plain(whole));
      token = delta.token;
      publication = edit(random, publication);
    }
  }
});

/** One with records of every resource. */
const makeWhole = (random: Random): OddPublication => {
  const made = makeOddPublication(random, 30);
  return RESOURCES.every((name) => made[name].length > 0) ? made : makeWhole(random);
};

test('its records are those of the interface', async () => {
  const host = hostOf();
  host.put(makeWhole(createRandom(SEED)));
  const content = host.open();
  const delta = await content.sync();
  for (const name of RESOURCES) {
    const include = name === 'posts' || name === 'pages' ? 'authors,tags' : 'count.posts';
    expect(delta[name].upserts.length).toBeGreaterThan(0);
    for (const record of delta[name].upserts) {
      expect(record).toEqual(await content.read(name, { id: record.id }, { include }));
    }
  }
});

test('of one edit among 3,000 posts a few files are read, and of none the root and the settings', async () => {
  const documents = Array.from({ length: 3_000 }, (_, at) => ({
    id: numberedId(at).replace(/(.{20})(.{4})/, '$2$1'),
    html: '<p>Text</p>',
  }));
  const host = hostOf();
  host.put(publicationOf(documents), { levels: LEVELS });
  const { token, posts } = await host.open().sync();
  expect(posts.upserts).toHaveLength(3_000);
  const files = host.asked.length;
  host.asked.length = 0;
  const same = await host.open().sync(token);
  expect(host.asked).toEqual([PACKED_ROOT_FILE, 'settings/index.json']);
  expect([same.isFull, same.token, same.posts]).toEqual([
    ...[false, token, { upserts: [], deletions: [] }],
  ]);
  const gone = documents.pop();
  Object.assign(documents[1_000] ?? {}, { html: '<p>Edited</p>' });
  host.put(publicationOf(documents), { levels: LEVELS });
  const delta = await host.open().sync(token);
  expect(delta.posts.deletions).toEqual([gone?.id]);
  expect(delta.posts.upserts.map(({ id }) => id)).toContain(documents[1_000]?.id);
  expect(files).toBeGreaterThan(host.asked.length * 5);
});

test('a token that cannot be compared is answered with all there is, and it says so', async () => {
  const host = hostOf();
  host.put(makeWhole(createRandom(SEED)));
  const { token, posts } = await host.open().sync();
  const [, resources, state] = JSON.parse(token) as [number, string[], object];
  const others = ['', 'x', 'null', '[]', '{}', JSON.stringify([0, resources, state])];
  const tags = await host.open().sync(null, { only: ['tags'] });
  expect(tags).toMatchObject({ posts: { upserts: [] }, settings: null, isFull: true });
  for (const other of [...others, tags.token]) {
    const delta = await host.open().sync(other);
    expect([other, delta.isFull, delta.posts]).toEqual([other, true, posts]);
  }
  expect((await host.open().sync(tags.token, { only: 'tags' })).isFull).toBe(false);
  const misspelt = host.open().sync(null, { only: ['post' as 'posts'] });
  await expect(misspelt).rejects.toThrow('only takes posts,pages,tags,authors.');
  const elsewhere = hostOf();
  elsewhere.put(makeOddPublication(createRandom(SEED + 1), 20));
  const moved = await elsewhere.open().sync(token);
  expect(moved.posts).toEqual({
    upserts: (await elsewhere.open().sync()).posts.upserts,
    deletions: expect.arrayContaining(posts.upserts.map(({ id }) => id)),
  });
});

test('settings whose file is not there for a while are those that were', async () => {
  const host = hostOf();
  const publication = makeWhole(createRandom(SEED));
  host.put(publication, { settings: { title: 'One' } });
  const { token } = await host.open().sync();
  host.remove('settings/index.json');
  const during = await host.open().sync(token);
  expect([during.isFull, during.settings, during.token]).toEqual([false, null, token]);
  host.put(publication, { settings: { title: 'One' } });
  expect((await host.open().sync(during.token)).settings).toBe(null);
});

test('what is taken back is named by its id alone, and no token has a text', async () => {
  const post = { id: numberedId(7), html: '<p>Taken back.</p>', slug: 'taken-back' };
  const host = hostOf();
  host.put(publicationOf([post, { id: numberedId(8), html: '<p>Stays.</p>' }]));
  const { token } = await host.open().sync();
  expect(token).not.toMatch(/Taken|taken-back|Stays/);
  host.put(publicationOf([{ id: numberedId(8), html: '<p>Stays.</p>' }]));
  const delta = await host.open().sync(token);
  expect(delta.posts).toEqual({ upserts: [], deletions: [post.id] });
  expect(JSON.stringify(delta)).not.toMatch(/Taken|taken-back/);
  expect(delta.token).not.toContain(post.id);
});

test('what is no JSON is named, with a code', async () => {
  const host = hostOf();
  const publication = makeWhole(createRandom(SEED));
  for (const file of [/^packed\/root/, /^settings/, /^packed\/(?!root)/]) {
    host.put(publication);
    host.damage(file);
    await expect(host.open().sync()).rejects.toMatchObject({
      code: 'CONTENT_UNREADABLE',
      message: expect.stringContaining(host.url),
    });
  }
});
