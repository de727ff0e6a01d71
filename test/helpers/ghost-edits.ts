// Random edits of a Ghost database as Ghost makes them: some move `updated_at`, those of links and deletions do not.
// An edit names rows by numbers that are taken modulo what is there, so that every script is valid.
import { createHash } from 'node:crypto';
import type { GhostShell, Statement, Value } from './ghost-shell.ts';

type Random = () => number;
type Row = Readonly<Record<string, unknown>>;
type Edit = (shell: GhostShell, random: Random) => Promise<readonly Statement[]>;

/** Makes one random edit, as one commit; returns its name. */
export const editGhost = async (shell: GhostShell, random: Random): Promise<string> => {
  const [name, edit] = pick(Object.entries(EDITS), random);
  const statements = await edit(shell, random);
  await shell.commit(statements.filter(([sql]) => canRun(shell, sql)));
  return name;
};

const pick = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random() * values.length)] as T;

const below = (limit: number, random: Random): number => Math.floor(random() * limit);

/** In the order of their making, as Ghost's are: of two rows for one link, the older counts. */
const newId = (random: Random): string => {
  const tail = createHash('sha256').update(String(random())).digest('hex').slice(0, 12);
  return `f${Date.now().toString(16).padStart(11, '0')}${tail}`;
};

/** As Ghost stores it; its seconds are those of the present, as the source's hashes want it. */
const now = (): string => new Date().toISOString().slice(0, 19).replace('T', ' ');

const times = () => ({ created_at: now(), updated_at: now() });
const uuidOf = (id: string): string => `${id.slice(-8)}-0000-4000-8000-${id.slice(-12)}`;

/** A small database lacks some tables and columns. */
const canRun = ({ columns }: GhostShell, sql: string): boolean => {
  const [, table = '', column = 'id'] =
    /^(?:DELETE FROM|UPDATE|INSERT INTO) (\w+)(?: WHERE (\w+))?/.exec(sql) ?? [];
  return columns.get(table)?.includes(column) === true;
};

const rowsOf = (shell: GhostShell, table: string): Promise<Row[]> =>
  shell.columns.has(table) ? shell.all(`SELECT * FROM ${table} ORDER BY id`) : Promise.resolve([]);

const onRow =
  (
    table: string,
    edit: (row: Row, random: Random, shell: GhostShell) => Promise<Statement[]>,
  ): Edit =>
  async (shell, random) => {
    const rows = await rowsOf(shell, table);
    return rows.length === 0 ? [] : edit(pick(rows, random), random, shell);
  };

/** `moves`: whether the time of change moves with it. */
const setting = (
  table: string,
  values: (random: Random) => Readonly<Record<string, Value>>,
  moves = true,
): Edit =>
  onRow(table, async ({ id }, random, { columns }) => {
    const set = { ...values(random), ...(moves && { updated_at: now() }) };
    const known = Object.entries(set).filter(([name]) => columns.get(table)?.includes(name));
    const names = known.map(([name]) => `${name} = ?`).join(', ');
    const changed = known.map(([, value]) => value);
    return known.length === 0
      ? []
      : [[`UPDATE ${table} SET ${names} WHERE id = ?`, ...changed, String(id)]];
  });

const inserted = (
  { columns }: GhostShell,
  table: string,
  row: Readonly<Record<string, Value>>,
): Statement => {
  const known = Object.entries(row).filter(([name]) => columns.get(table)?.includes(name) === true);
  const names = known.map(([name]) => name);
  return [
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...known.map(([, value]) => value),
  ];
};

/** Takes away rows of tables by a column. */
const without = (links: readonly string[], value: unknown): Statement[] =>
  links.map((link) => {
    const [table, column] = link.split('.');
    return [`DELETE FROM ${table} WHERE ${column} = ?`, String(value)];
  });

/** A table of links, and its ends: a table and the column that names its rows. */
type Ends = readonly [string, ...(readonly [readonly [string, string], readonly [string, string]])];
const TAG_ENDS: Ends = ['posts_tags', ['posts', 'post_id'], ['tags', 'tag_id']];
const AUTHOR_ENDS: Ends = ['posts_authors', ['posts', 'post_id'], ['users', 'author_id']];
const LABEL_ENDS: Ends = ['members_labels', ['members', 'member_id'], ['labels', 'label_id']];
const NEWSLETTER_ENDS: Ends = [
  'members_newsletters',
  ['members', 'member_id'],
  ['newsletters', 'newsletter_id'],
];

const linking =
  ([table, left, right]: Ends, more: Readonly<Record<string, Value>> = {}): Edit =>
  async (shell, random) => {
    const [a, b] = [await rowsOf(shell, left[0]), await rowsOf(shell, right[0])];
    if (a.length === 0 || b.length === 0) return [];
    const ends = { [left[1]]: String(pick(a, random).id), [right[1]]: String(pick(b, random).id) };
    const known = await shell.all(
      `SELECT id FROM ${table} WHERE ${left[1]} = ? AND ${right[1]} = ?`,
      ...Object.values(ends),
    );
    if (known.length > 0) return [];
    return [inserted(shell, table, { id: newId(random), ...ends, ...more })];
  };

const removing = (table: string): Edit =>
  onRow(table, async ({ id }) => [[`DELETE FROM ${table} WHERE id = ?`, String(id)]]);

const statuses = (random: Random): Readonly<Record<string, Value>> =>
  pick(
    [
      { status: 'published', published_at: '2024-05-01 10:00:00' },
      { status: 'draft' },
      { status: 'scheduled', published_at: '2099-05-01 10:00:00' },
      { status: 'published', published_at: '2025-06-01 10:00:00' },
    ],
    random,
  );

const html = (random: Random): string =>
  `<p>Text ${Math.floor(random() * 1_000)} <a href="__GHOST_URL__/about/">about</a></p>`;

const addPost: Edit = async (shell, random) => {
  const id = newId(random);
  const [author] = await rowsOf(shell, 'users');
  const post = {
    id,
    uuid: uuidOf(id),
    title: `Post ${id.slice(-4)}`,
    slug: `post-${id.slice(-6)}`,
    html: html(random),
    plaintext: 'Text',
    comment_id: id,
    featured: 0,
    type: pick(['post', 'post', 'page'], random),
    visibility: pick(['public', 'members', 'paid'], random),
    email_recipient_filter: 'all',
    ...times(),
    show_title_and_feature_image: 1,
    ...statuses(random),
  };
  const link = { id: newId(random), post_id: id, author_id: String(author?.id), sort_order: 0 };
  const isAlone = author === undefined || random() < 0.2;
  return [
    inserted(shell, 'posts', post),
    ...(isAlone ? [] : [inserted(shell, 'posts_authors', link)]),
  ];
};

const POST_LINKS = [
  'posts_tags.post_id',
  'posts_authors.post_id',
  'posts_products.post_id',
  'posts_meta.post_id',
  'posts.id',
];
const MEMBER_LINKS = [
  'members_labels.member_id',
  'members_newsletters.member_id',
  'members_products.member_id',
  'members_created_events.member_id',
  'members_status_events.member_id',
  'members_subscribe_events.member_id',
  'members.id',
];

const swapSlugs: Edit = async (shell, random) => {
  const posts = (await rowsOf(shell, 'posts')).filter(({ type }) => type === 'post');
  const [a, b] = [pick(posts, random), pick(posts, random)];
  if (a === undefined || b === undefined || a.id === b.id) return [];
  const set = 'UPDATE posts SET slug = ?, updated_at = ? WHERE id = ?';
  return [
    [set, `swapping-${newId(random)}`, now(), String(a.id)],
    [set, String(a.slug), now(), String(b.id)],
    [set, String(b.slug), now(), String(a.id)],
  ];
};

const meta: Edit = onRow('posts', async ({ id }, random, shell) => {
  const [known] = await shell.all('SELECT id FROM posts_meta WHERE post_id = ?', String(id));
  const values = {
    meta_title: `Meta ${Math.floor(random() * 100)}`,
    email_only: Number(random() < 0.3),
  };
  if (known === undefined) {
    return [inserted(shell, 'posts_meta', { id: newId(random), post_id: String(id), ...values })];
  }
  const set = 'UPDATE posts_meta SET meta_title = ?, email_only = ? WHERE id = ?';
  return [[set, values.meta_title, values.email_only, String(known.id)]];
});

const newTag = (shell: GhostShell, id: string): Statement => {
  const texts = { name: `Tag ${id.slice(-4)}`, slug: `tag-${id.slice(-6)}` };
  return inserted(shell, 'tags', { id, ...texts, visibility: 'public', ...times() });
};

/** What a database without checks may hold: a link to a tag that comes later, under an id that is known. */
const LATE_TAG = '6'.repeat(24);
const toggleLateTag: Edit = async (shell) => {
  const [tag] = await shell.all('SELECT id FROM tags WHERE id = ?', LATE_TAG);
  return tag === undefined ? [newTag(shell, LATE_TAG)] : without(['tags.id'], LATE_TAG);
};

/** A row for a link that may be there already, which Ghost's schema allows. */
const linkTo = (tagOf: (link: Row) => string): Edit =>
  onRow('posts_tags', async (link, random, shell) => {
    const ends = { post_id: String(link.post_id), tag_id: tagOf(link) };
    const sort_order = Math.floor(random() * 9);
    return [inserted(shell, 'posts_tags', { id: newId(random), ...ends, sort_order })];
  });

const addUser: Edit = async (shell, random) => {
  const id = newId(random);
  const roles = (await rowsOf(shell, 'roles')).filter(
    ({ name }) => name === 'Author' || name === 'Editor',
  );
  const user = {
    id,
    name: `User ${id.slice(-4)}`,
    slug: `user-${id.slice(-6)}`,
    password: 'x',
    email: `${id}@example.com`,
    ...times(),
  };
  const link = { id: newId(random), role_id: String(pick(roles, random)?.id), user_id: id };
  return [inserted(shell, 'users', user), inserted(shell, 'roles_users', link)];
};

/** Never the owner. */
const deleteUser: Edit = async (shell, random) => {
  const users = await shell.all(
    `SELECT id FROM users WHERE id NOT IN (SELECT l.user_id FROM roles_users l JOIN roles r ON r.id = l.role_id
     WHERE r.name = 'Owner') ORDER BY id`,
  );
  if (users.length === 0) return [];
  return without(
    ['roles_users.user_id', 'posts_authors.author_id', 'users.id'],
    pick(users, random).id,
  );
};

const addMember: Edit = async (shell, random) => {
  const id = newId(random);
  const member = { id, uuid: uuidOf(id), transient_id: id, email: `${id}@example.com` };
  return [inserted(shell, 'members', { ...member, status: 'free', ...times() })];
};

const EDITS: Readonly<Record<string, Edit>> = {
  'edit a body': setting('posts', (random) => ({ html: html(random), title: `Title ${random()}` })),
  'edit another body': setting('posts', (random) => ({ html: html(random), featured: 1 })),
  'change a status': setting('posts', statuses),
  'feature in bulk': setting('posts', (random) => ({ featured: Number(random() < 0.5) }), false),
  'add a post': addPost,
  'add another post': addPost,
  'delete a post': onRow('posts', async ({ id }) => without(POST_LINKS, id)),
  'delete a post alone': removing('posts'),
  'swap slugs': swapSlugs,
  meta,
  'delete meta': removing('posts_meta'),
  'attach a tag': linking(TAG_ENDS, { sort_order: 1 }),
  'attach another tag': linking(TAG_ENDS, { sort_order: 0 }),
  'detach a tag': removing('posts_tags'),
  'move a tag': setting('posts_tags', (random) => ({ sort_order: below(9, random) }), false),
  'double a link': linkTo(({ tag_id }) => String(tag_id)),
  'add an author': linking(AUTHOR_ENDS, { sort_order: 3 }),
  'take an author away': removing('posts_authors'),
  'add a tag': async (shell, random) => [newTag(shell, newId(random))],
  'edit a tag': setting('tags', (random) => ({ description: `About ${random()}` })),
  'delete a tag': onRow('tags', async ({ id }) => without(['posts_tags.tag_id', 'tags.id'], id)),
  'delete a tag alone': removing('tags'),
  'link a tag that comes later': linkTo(() => LATE_TAG),
  'the tag that comes later': toggleLateTag,
  'edit an author': setting('users', (random) => ({ bio: `Bio ${random()}` })),
  'add a user': addUser,
  'delete a user': deleteUser,
  'edit the title': async (_, random) => [
    [
      "UPDATE settings SET value = ? WHERE settings.key = 'title'",
      `Site ${Math.floor(random() * 100)}`,
    ],
  ],
  'add a member': addMember,
  'edit a member': setting('members', (random) => ({ name: `Name ${random()}` })),
  'count a mail': setting('members', (random) => ({ email_count: below(99, random) }), false),
  'delete a member': onRow('members', async ({ id }) => without(MEMBER_LINKS, id)),
  'label a member': linking(LABEL_ENDS, { sort_order: 0 }),
  'take a label away': removing('members_labels'),
  'subscribe a member': linking(NEWSLETTER_ENDS),
  'unsubscribe a member': removing('members_newsletters'),
  'edit a newsletter': setting('newsletters', (random) => ({ description: `News ${random()}` })),
  'open a mail': setting('email_recipients', () => ({ opened_at: now() }), false),
};

/** What Ghost changes without a new `updated_at` of the row, or of the post that shows it. */
export const QUIET_CHANGES: readonly { readonly table: string; readonly sql: string }[] = [
  {
    table: 'posts_tags',
    sql: 'DELETE FROM posts_tags WHERE id = (SELECT min(id) FROM posts_tags)',
  },
  { table: 'posts_authors', sql: 'UPDATE posts_authors SET sort_order = 1 - sort_order' },
  { table: 'tags', sql: "UPDATE tags SET name = 'Renamed'" },
  { table: 'posts_meta', sql: "UPDATE posts_meta SET meta_title = 'Edited'" },
  { table: 'settings', sql: "UPDATE settings SET value = 'Edited' WHERE `key` = 'title'" },
  { table: 'products', sql: "UPDATE products SET name = 'Edited'" },
  { table: 'offers', sql: "UPDATE offers SET name = 'Edited'" },
  { table: 'newsletters', sql: "UPDATE newsletters SET name = 'Edited'" },
  { table: 'members_labels', sql: 'DELETE FROM members_labels' },
  { table: 'posts', sql: 'DELETE FROM posts WHERE id = (SELECT max(id) FROM posts)' },
];
