// Publications made by seed: the same number of posts gives the same rows, on any machine. A post has
// about 6 kB of html with images and links, three of 50 authors and five of 500 tags; every second post
// has the first tag; one in twenty is gated, half of those with a part that strangers may read. Pages are few, whatever
// the number of posts.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadDriver, type SqliteConnection } from '../src/base/sqlite/driver.ts';
import { openStore } from '../src/publication/store/open-store.ts';
import { createRandom } from '../test/helpers/random.ts';

const SEED = 7;
const AUTHORS = 50;
const AUTHORS_PER_POST = 3;
const TAGS = 500;
const PAGES = 300;
const TAGS_PER_POST = 5;
const INTERNAL_TAG_EVERY = 25;
const GATED_EVERY = 20;
const META_EVERY = 4;
const HTML_BYTES = 6_000;
const FIRST_POST_MS = Date.parse('2012-01-01T08:00:00.000Z');
const BETWEEN_POSTS_MS = 61 * 60_000;
const POSTS_APART = 100_000;
const WORDS =
  'the a of and to in is that it was for on are with they be at one have this from by hot but some what there we can out other were all your when up use word how said each she which their time will way about many then them would write like so these her long make thing see him two has look more day could go come did my sound no most number who over know water than call first people may down side been now find'.split(
    ' ',
  );

/** The tag that every second post has, as its first one. */
export const WIDE_TAG = 'news';

type Random = () => number;
type Row = Readonly<Record<string, string | number | null>>;

type Size = {
  readonly posts: number;
  readonly authors: number;
  readonly tags: number;
  readonly pages: number;
};

/** With next to no records but the posts. */
export const FEW = { authors: AUTHORS_PER_POST, tags: TAGS_PER_POST + 1, pages: 0 };

/** Makes the database at `path` with `posts` published posts. */
export const makePublication = async (
  path: string,
  posts: number,
  others: Omit<Size, 'posts'> = { authors: AUTHORS, tags: TAGS, pages: PAGES },
): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true });
  const store = await openStore(path, { create: true });
  await store.close();
  const database = new (loadDriver())(path);
  try {
    database.pragma('synchronous = OFF');
    // A write-ahead log would hold everything a second time.
    database.pragma('journal_mode = MEMORY');
    database.transaction(() => fill(database, { posts, ...others }))();
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
};

const fill = (database: SqliteConnection, { posts, authors, tags, pages }: Size): void => {
  const random = createRandom(SEED);
  const insert = inserter(database);
  insert('settings', { ...stamped(0), id: idOf('5e', 0), key: 'title', value: 'The bench' });
  insert('settings', { ...stamped(0), id: idOf('5e', 1), key: 'timezone', value: 'Europe/Berlin' });
  for (let at = 0; at < authors; at += 1) insert('users', authorRow(at, random));
  for (let at = 0; at < tags; at += 1) insert('tags', tagRow(at, random));
  for (let at = 0; at < posts; at += 1) {
    const post = postRow(at, random);
    insert('posts', post);
    if (at % META_EVERY === 0) insert('posts_meta', metaRow(at, random));
    for (const [order, author] of pick(AUTHORS_PER_POST, authors, random).entries()) {
      const id = idOf('ae', at * AUTHORS_PER_POST + order);
      const link = { post_id: post.id, author_id: idOf('aa', author), sort_order: order };
      insert('posts_authors', { id, ...link });
    }
    for (const [order, tag] of pickTags(at, tags, random).entries()) {
      const id = idOf('be', at * TAGS_PER_POST + order);
      const link = { post_id: post.id, tag_id: idOf('bb', tag), sort_order: order };
      insert('posts_tags', { id, ...link });
    }
  }
  for (let at = 0; at < pages; at += 1) insert('posts', pageRow(at, random));
};

type Insert = (table: string, row: Readonly<Record<string, unknown>>) => void;

const inserter = (database: SqliteConnection): Insert => {
  const statements = new Map<string, ReturnType<SqliteConnection['prepare']>>();
  return (table, row) => {
    let statement = statements.get(table);
    if (statement === undefined) {
      const names = Object.keys(row);
      const places = names.map((name) => `@${name}`).join(', ');
      statement = database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`);
      statements.set(table, statement);
    }
    statement.run(row);
  };
};

/** A draft that nobody sees yet, ready to be published. */
export const insertDraft = (database: SqliteConnection, number: number): string => {
  const random = createRandom(SEED + number);
  const row = { ...postRow(number, random), status: 'draft', published_at: null };
  const insert = inserter(database);
  insert('posts', row);
  for (const [order, tag] of [3, 4].entries()) {
    const link = { post_id: row.id, tag_id: idOf('bb', tag), sort_order: order };
    insert('posts_tags', { id: idOf('cf', number * 10 + order), ...link });
  }
  const link = { post_id: row.id, author_id: idOf('aa', 5), sort_order: 0 };
  insert('posts_authors', { id: idOf('cf', number * 10 + 9), ...link });
  return row.id;
};

const idOf = (kind: string, number: number): string =>
  kind + number.toString(16).padStart(24 - kind.length, '0');

/** More posts come between those: what is published for a time to come would be scheduled. */
const timeOf = (number: number): string => {
  const passed = (number % POSTS_APART) * BETWEEN_POSTS_MS;
  const between = Math.floor(number / POSTS_APART) * 1_000;
  return new Date(FIRST_POST_MS + passed + between).toISOString();
};

const stamped = (number: number): Row => ({
  created_at: timeOf(number),
  updated_at: timeOf(number + 3),
});

const authorRow = (at: number, random: Random): Row => ({
  ...stamped(at),
  id: idOf('aa', at),
  name: `Author ${at} ${wordsOf(1, random)}`,
  slug: `author-${at}`,
  email: `author-${at}@example.com`,
  bio: wordsOf(20, random),
  profile_image: `https://images.example.com/authors/${at}.jpg`,
  website: `https://author-${at}.example.com/`,
  location: 'Somewhere',
});

const tagRow = (at: number, random: Random): Row => {
  const isInternal = at % INTERNAL_TAG_EVERY === INTERNAL_TAG_EVERY - 1;
  const slug = at === 0 ? WIDE_TAG : isInternal ? `hash-tag-${at}` : `tag-${at}`;
  return {
    ...stamped(at),
    id: idOf('bb', at),
    name: `${isInternal ? '#' : ''}Tag ${at} ${wordsOf(1, random)}`,
    slug,
    visibility: isInternal ? 'internal' : 'public',
    description: wordsOf(12, random),
    feature_image: `https://images.example.com/tags/${at}.jpg`,
    accent_color: '#123456',
  };
};

const postRow = (at: number, random: Random) => {
  const gate = at % GATED_EVERY === 7;
  const title = wordsOf(7, random);
  const html = htmlOf(at, random, gate && at % (2 * GATED_EVERY) === 7);
  const id = idOf('ce', at);
  return {
    id,
    uuid: `${id.slice(0, 8)}-0000-4000-8000-${id.slice(12)}`,
    title,
    slug: `${title.replaceAll(' ', '-')}-${at}`,
    html,
    comment_id: id,
    plaintext: html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    feature_image: `https://images.example.com/posts/${at}.jpg`,
    featured: at % 9 === 0 ? 1 : 0,
    type: 'post',
    status: 'published',
    visibility: gate ? 'members' : 'public',
    created_at: timeOf(at),
    updated_at: timeOf(at + 3),
    published_at: timeOf(at) as string | null,
    custom_excerpt: at % 3 === 0 ? wordsOf(25, random) : null,
  };
};

const pageRow = (at: number, random: Random): Row => {
  const id = idOf('da', at);
  const uuid = `${id.slice(0, 8)}-0000-4000-8000-${id.slice(12)}`;
  return { ...postRow(at, random), id, uuid, comment_id: id, slug: `page-${at}`, type: 'page' };
};

const metaRow = (at: number, random: Random): Row => ({
  id: idOf('de', at),
  post_id: idOf('ce', at),
  og_title: wordsOf(6, random),
  og_description: wordsOf(20, random),
  meta_title: wordsOf(6, random),
  meta_description: wordsOf(20, random),
  feature_image_alt: wordsOf(8, random),
});

const htmlOf = (at: number, random: Random, isCut: boolean): string => {
  let html = '';
  for (let part = 0; html.length < HTML_BYTES; part += 1) {
    html += `<p>${wordsOf(45, random)} <a href="https://example.org/${at}/${part}?a=1&amp;b=2">${wordsOf(3, random)}</a> “${wordsOf(30, random)}” <em>${wordsOf(4, random)}</em>.</p>\n`;
    if (part % 3 === 1) {
      html += `<figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/${at}-${part}.jpg" class="kg-image" alt="${wordsOf(5, random)}" loading="lazy" width="1200" height="800"></figure>\n`;
    }
    if (part % 4 === 2) html += `<h2 id="part-${part}">${wordsOf(5, random)}</h2>\n`;
    if (isCut && part === 3) html += '<!--members-only-->\n';
  }
  return html;
};

const wordsOf = (count: number, random: Random): string => {
  let text = '';
  for (let at = 0; at < count; at += 1) {
    text += `${at === 0 ? '' : ' '}${WORDS[Math.floor(random() * WORDS.length)]}`;
  }
  return text;
};

const pick = (count: number, of: number, random: Random): number[] => {
  const picked = new Set<number>();
  while (picked.size < count) picked.add(Math.floor(random() * of));
  return [...picked];
};

const pickTags = (at: number, tags: number, random: Random): number[] => {
  const others = pick(TAGS_PER_POST, tags - 1, random).map((tag) => tag + 1);
  return at % 2 === 0 ? [0, ...others.slice(1)] : others;
};
