// Random edits of a publication, made through plain SQL as any program would make them. An operation
// names rows by numbers, which are taken modulo what is there, so that every script is valid.
import fc from 'fast-check';
import { createId } from '../../src/base/ids.ts';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { insertRow, isKept } from './publication.ts';

type Kind = keyof typeof COMMON | keyof typeof RARE | keyof typeof BREAKING;

export type Operation = {
  readonly kind: Kind;
  readonly a: number;
  readonly b: number;
};

const RECORDS_MAX = 30;
const SLUGS = ['one', 'One', 'ONE', 'caf\u00e9', 'cafe\u0301', 'con', '_x', 'a/b', 'two', '日本語'];
const ZONES = ['Etc/UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'];
const VISIBILITIES = ['public', 'members', 'paid', 'tiers', 'status:free'];
const BODIES = [
  null,
  '',
  '<p>Hello <a href="https://other.test/x">there</a></p>',
  '<p>Free</p><!--members-only--><p>For members</p>',
  '<p>a</p><!--kg-gated-block:begin nonMember:false memberSegment:"" --><p>x</p><!--kg-gated-block:end-->',
];

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

const idOf = (shell: SqliteConnection, table: string, at: number): string | undefined => {
  const ids = shell.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all() as string[];
  return ids.length === 0 ? undefined : pick(ids, at);
};

type Edit = (shell: SqliteConnection, a: number, b: number) => void;

const onRow =
  (table: string, edit: (shell: SqliteConnection, id: string, b: number) => void): Edit =>
  (shell, a, b) => {
    const id = idOf(shell, table, a);
    if (id !== undefined) edit(shell, id, b);
  };

const set =
  (table: string, column: string, value: (b: number) => unknown): Edit =>
  (shell, a, b) =>
    onRow(table, (_, id) =>
      shell.prepare(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE id = ?`).run(value(b), id),
    )(shell, a, b);

const setting = (shell: SqliteConnection, key: string, value: string | null): void => {
  shell
    .prepare(
      `INSERT INTO settings (id, key, value, created_at) VALUES (?, ?, ?, '2026-01-01')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
    .run(createId(), key, value);
};

const insertPost: Edit = (shell, a, b) => {
  const count = shell.prepare('SELECT count(*) FROM posts').pluck().get() as number;
  if (count >= RECORDS_MAX) return;
  const type = pick(['post', 'post', 'page'], a);
  const slug = b % 2 === 0 ? pick(SLUGS, a) : createId();
  const isTaken = shell.prepare('SELECT 1 FROM posts WHERE slug = ? AND type = ?').get(slug, type);
  if (isTaken !== undefined) return;
  insertRow(shell, 'posts', {
    type,
    slug,
    status: pick(['published', 'published', 'draft'], b),
    html: pick(BODIES, a + b),
    published_at: `2026-0${(a % 9) + 1}-01 10:00:00`,
    title: pick(['Apple', 'apple', 'Ärger', 'zebra', '10', '9'], b),
  });
  link('tags')(shell, count, b);
  link('users')(shell, count, a);
};

const link =
  (table: 'tags' | 'users'): Edit =>
  (shell, a, b) => {
    const post = idOf(shell, 'posts', a);
    const other = idOf(shell, table, b);
    if (post === undefined || other === undefined) return;
    const [pivot, column] =
      table === 'tags' ? ['posts_tags', 'tag_id'] : ['posts_authors', 'author_id'];
    shell
      .prepare(
        `INSERT OR REPLACE INTO ${pivot} (id, post_id, ${column}, sort_order) VALUES (?, ?, ?, ?)`,
      )
      .run(createId(), post, other, a % 3);
  };

/** Points a link at another post and another tag or author, as an UPDATE of a pivot row. */
const relink =
  (pivot: string, column: string, table: string): Edit =>
  (shell, a, b) => {
    const [id, post, other] = [
      idOf(shell, pivot, a),
      idOf(shell, 'posts', b),
      idOf(shell, table, a + b),
    ];
    if (id === undefined || post === undefined || other === undefined) return;
    shell
      .prepare(`UPDATE OR REPLACE ${pivot} SET post_id = ?, ${column} = ? WHERE id = ?`)
      .run(post, other, id);
  };

const swapSlugs: Edit = (shell, a, b) => {
  const [first, second] = [idOf(shell, 'posts', a), idOf(shell, 'posts', b)];
  if (first === undefined || second === undefined || first === second) return;
  const slugOf = shell.prepare('SELECT slug FROM posts WHERE id = ?').pluck();
  const [x, y] = [slugOf.get(first), slugOf.get(second)];
  const rename = shell.prepare('UPDATE OR IGNORE posts SET slug = ? WHERE id = ?');
  shell.transaction(() => {
    rename.run('between', first);
    rename.run(x, second);
    rename.run(y, first);
  })();
};

const metaSetting = (column: string, value: (b: number) => unknown): Edit =>
  onRow('posts', (shell, id, b) => {
    shell
      .prepare(
        `INSERT INTO posts_meta (id, post_id, ${column}) VALUES (?, ?, ?)
         ON CONFLICT (post_id) DO UPDATE SET ${column} = excluded.${column}`,
      )
      .run(createId(), id, value(b));
  });

const EMAIL_ONLY = [0, 1, 'true', 0, 2, 'false', Buffer.from('?')].filter(isKept);

const replacePost: Edit = (shell, a, b) => {
  shell
    .prepare(
      `INSERT OR REPLACE INTO posts (id, uuid, title, slug, status, created_at, published_at)
       SELECT ?, uuid, title, slug, status, created_at, published_at FROM posts ORDER BY id LIMIT 1 OFFSET ?`,
    )
    .run(createId(), a % (b + 1));
};

const UNREADABLE = ["published_at = 'nonsense'", "created_at = ''", 'updated_at = 1e20'];

/** Makes a post unreadable and changes something else of it in the same write. */
const breakWith =
  (assignment: (b: number) => string): Edit =>
  (shell, a, b) =>
    onRow('posts', (_, id) => {
      const broken = pick(UNREADABLE, a + b);
      shell.prepare(`UPDATE OR IGNORE posts SET ${broken}, ${assignment(b)} WHERE id = ?`).run(id);
    })(shell, a, b);

const brokenId = (shell: SqliteConnection, at: number): string | undefined => {
  const ids = shell
    .prepare(
      `SELECT id FROM posts WHERE published_at = 'nonsense' OR created_at = ''
         OR typeof(updated_at) = 'real' OR updated_at LIKE '1%e%' ORDER BY id`,
    )
    .pluck()
    .all() as string[];
  return ids.length === 0 ? undefined : pick(ids, at);
};

const onBroken =
  (sql: (b: number) => string): Edit =>
  (shell, a, b) => {
    const id = brokenId(shell, a);
    if (id !== undefined) shell.prepare(sql(b)).run(id);
  };

const remove = (table: string): Edit =>
  onRow(table, (shell, id) => shell.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id));

const COMMON = {
  insertPost,
  insertTag: (shell, a) =>
    void insertRow(shell, 'tags', a % 4 === 0 ? { visibility: 'internal' } : {}),
  insertAuthor: (shell) => void insertRow(shell, 'users', {}),
  edit: set('posts', 'html', (b) => pick(BODIES, b)),
  retitle: set('posts', 'title', (b) => `Title ${b}`),
  tag: link('tags'),
  retag: relink('posts_tags', 'tag_id', 'tags'),
  reattribute: relink('posts_authors', 'author_id', 'users'),
  untag: remove('posts_tags'),
  attribute: link('users'),
  unattribute: remove('posts_authors'),
  reorderAuthors: set('posts_authors', 'sort_order', (b) => b % 5),
  reorderTags: set('posts_tags', 'sort_order', (b) => b % 5),
  renameSlug: set('posts', 'slug', (b) => pick(SLUGS, b)),
  renameTagSlug: set('tags', 'slug', (b) => pick(SLUGS, b)),
  swapSlugs,
  publish: set('posts', 'status', () => 'published'),
  unpublish: set('posts', 'status', () => 'draft'),
  redate: set('posts', 'published_at', (b) => `2025-0${(b % 9) + 1}-05T00:00:00.000Z`),
  changeType: set('posts', 'type', (b) => pick(['post', 'page'], b)),
  gate: set('posts', 'visibility', (b) => pick(VISIBILITIES, b)),
  meta: metaSetting('og_title', (b) => `meta ${b}`),
  mail: metaSetting('email_only', (b) => pick(EMAIL_ONLY, b)),
  removeMeta: remove('posts_meta'),
  replacePost,
  renameTag: set('tags', 'name', (b) => `Name ${b}`),
  hideTag: set('tags', 'visibility', (b) => pick(['public', 'internal'], b)),
  renameAuthor: set('users', 'name', (b) => `Writer ${b}`),
  retitleSite: (shell, _, b) => setting(shell, 'title', `Site ${b}`),
} satisfies Record<string, Edit>;

/** Removals and what causes full builds. */
const RARE = {
  deletePost: remove('posts'),
  deleteTag: remove('tags'),
  deleteAuthor: remove('users'),
  changeTimezone: (shell, _, b) => setting(shell, 'timezone', pick(ZONES, b)),
  toggleLinkTagging: (shell, _, b) =>
    setting(shell, 'outbound_link_tagging', pick(['true', 'false'], b)),
} satisfies Record<string, Edit>;

const gating = (b: number): string => `visibility = '${pick(VISIBILITIES, b)}'`;
const renaming = (b: number): string => `slug = '${pick(SLUGS, b)}'`;
const moving = (b: number): string => `status = '${pick(['draft', 'sent', 'published'], b)}'`;
const mending = (b: number): string =>
  `published_at = '2026-0${(b % 9) + 1}-02', created_at = '2026-01-01', updated_at = NULL`;

const BREAKING = {
  breakPost: breakWith((b) => `title = 'Broken ${b}'`),
  breakAndGate: breakWith(gating),
  breakAndUnpublish: breakWith(moving),
  breakAndRename: breakWith(renaming),
  breakAndChangeType: breakWith((b) => `type = '${pick(['post', 'page'], b)}'`),
  mend: onBroken((b) => `UPDATE posts SET ${mending(b)} WHERE id = ?`),
  gateBroken: onBroken((b) => `UPDATE posts SET ${gating(b)} WHERE id = ?`),
  unpublishBroken: onBroken((b) => `UPDATE posts SET ${moving(b)} WHERE id = ?`),
  renameBroken: onBroken((b) => `UPDATE OR IGNORE posts SET ${renaming(b)} WHERE id = ?`),
  deleteBroken: onBroken(() => 'DELETE FROM posts WHERE id = ?'),
} satisfies Record<string, Edit>;

const KINDS: Readonly<Record<Kind, Edit>> = { ...COMMON, ...RARE, ...BREAKING };

export const applyOperation = (shell: SqliteConnection, { kind, a, b }: Operation): void =>
  KINDS[kind](shell, a, b);

/** A publication worth editing: tags, authors and a dozen posts that are linked to them. */
export const seedPublication = (shell: SqliteConnection): void => {
  for (let at = 0; at < 5; at += 1) KINDS.insertTag(shell, at, 0);
  for (let at = 0; at < 3; at += 1) insertRow(shell, 'users', {});
  for (let at = 0; at < 12; at += 1) insertPost(shell, at, at * 7);
};

const kindsOf = (kinds: object): fc.Arbitrary<Kind> =>
  fc.constantFrom(...(Object.keys(kinds) as Kind[]));

const number = fc.nat({ max: 40 });

/** Removals and full rebuilds are rare, so that scripts keep something to edit. */
export const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.oneof(
    { weight: 1, arbitrary: kindsOf(RARE) },
    { weight: 3, arbitrary: fc.constant<Kind>('insertPost') },
    { weight: 16, arbitrary: kindsOf(COMMON) },
    { weight: 6, arbitrary: kindsOf(BREAKING) },
  ),
  a: number,
  b: number,
});
