import { expect, test } from 'vitest';
import { createPublication, type Publication } from '../../../helpers/publication.ts';
import {
  changesAfter,
  type ExportData,
  idOf,
  importData,
  lastChange,
  readData,
  rowOf,
  rowsOf,
} from './ghost-import.ts';

const HERE = 'b'.repeat(24);

const all = ({ shell }: Publication, sql: string): unknown[] => shell.prepare(sql).raw().all();

const isSettled = async (publication: Publication, data: ExportData): Promise<void> => {
  const seq = lastChange(publication.shell);
  await importData(publication, data);
  expect(changesAfter(publication.shell, seq)).toEqual([]);
};

test('a tag that is here under another id is updated there, and links lead to it', async () => {
  const publication = await createPublication();
  publication.insert('tags', { id: HERE, slug: 'kitchen', name: 'Old name' });
  const report = await importData(publication, readData());
  expect(all(publication, "SELECT id, name FROM tags WHERE slug = 'kitchen'")).toEqual([
    [HERE, 'Kitchen'],
  ]);
  expect(all(publication, `SELECT tag_id FROM posts_tags WHERE id = '${idOf(300)}'`)).toEqual([
    [HERE],
  ]);
  expect(report.warnings.join('\n')).toContain(`updated there: 1 (tags ${idOf(101)})`);
  await isSettled(publication, readData());
});

test('a user is known again by slug or by e-mail, but not by two people', async () => {
  const publication = await createPublication();
  publication.insert('users', { id: HERE, slug: 'someone', email: 'olga@example.org' });
  await importData(publication, readData());
  expect(all(publication, `SELECT slug, name FROM users WHERE id = '${HERE}'`)).toEqual([
    ['olga', 'Olga'],
  ]);
  expect(all(publication, `SELECT author_id FROM posts_authors WHERE id = '${idOf(400)}'`)).toEqual(
    [[HERE]],
  );
  await isSettled(publication, readData());
  const data = readData();
  rowsOf(data, 'users').push({
    ...rowOf(data, 'users', idOf(50)),
    id: idOf(51),
    slug: 'olga-2',
    email: 'third@example.org',
  });
  publication.insert('users', { slug: 'olga-2', email: 'other@example.org' });
  publication.insert('users', { slug: 'other', email: 'third@example.org' });
  const report = await importData(publication, data);
  expect(report.skipped.find(({ table }) => table === 'users')).toMatchObject({
    id: idOf(51),
    field: 'slug',
  });
});

test('a member is known again by e-mail in any case', async () => {
  const publication = await createPublication();
  publication.insert('members', { id: HERE, email: 'mia@example.ORG' });
  await importData(publication, readData());
  expect(all(publication, `SELECT email, status FROM members WHERE id = '${HERE}'`)).toEqual([
    ['Mia@Example.org', 'paid'],
  ]);
  expect(all(publication, 'SELECT member_id FROM customers')).toEqual([[HERE]]);
  await isSettled(publication, readData());
});

test('a setting is known again by its key', async () => {
  const publication = await createPublication();
  publication.insert('settings', { id: HERE, key: 'title', value: 'Before' });
  await importData(publication, readData());
  expect(all(publication, "SELECT id, value FROM settings WHERE key = 'title'")).toEqual([
    [HERE, 'The Small Gazette'],
  ]);
  await isSettled(publication, readData());
});

test('a post whose slug belongs to another post is skipped with all that is its own', async () => {
  const publication = await createPublication();
  publication.insert('posts', { id: HERE, slug: 'post-1', title: 'Mine' });
  const report = await importData(publication, readData());
  expect(report.skipped.find(({ table }) => table === 'posts')).toEqual({
    table: 'posts',
    id: idOf(1),
    field: 'slug and type',
    reason: `belong to another row, ${HERE}`,
  });
  expect(report.tables.posts_tags?.skipped).toBe(2);
  expect(report.warnings).toContainEqual(
    expect.stringMatching(/import again; slugs: 1 \(post-1\)/),
  );
  expect(all(publication, `SELECT title FROM posts WHERE slug = 'post-1'`)).toEqual([['Mine']]);
});

test('posts may exchange their slugs, and pass them on in a chain', async () => {
  const publication = await createPublication();
  await importData(publication, readData());
  const swapped = readData();
  rowOf(swapped, 'posts', idOf(1)).slug = 'post-2';
  rowOf(swapped, 'posts', idOf(2)).slug = 'post-1';
  await importData(publication, swapped);
  const slugs = 'SELECT slug FROM posts ORDER BY id';
  expect(all(publication, slugs).flat()).toEqual(['post-2', 'post-1', 'about', 'post-4', 'post-5']);
  await isSettled(publication, swapped);
  rowOf(swapped, 'posts', idOf(1)).slug = 'post-4';
  rowOf(swapped, 'posts', idOf(4)).slug = 'post-5';
  rowOf(swapped, 'posts', idOf(5)).slug = 'post-2';
  await importData(publication, swapped);
  expect(all(publication, slugs).flat()).toEqual(['post-4', 'post-1', 'about', 'post-5', 'post-2']);
  await isSettled(publication, swapped);
});

test.each([
  ['first', { 1: 'taken', 2: 'post-1' }],
  ['last', { 1: 'post-2', 2: 'taken' }],
])(
  'a chain of slugs that ends at another post changes none of its posts: it ends %s',
  async (_end, slugs) => {
    const publication = await createPublication();
    await importData(publication, readData());
    publication.insert('posts', { id: HERE, slug: 'taken' });
    const data = readData();
    for (const [n, slug] of Object.entries(slugs))
      rowOf(data, 'posts', idOf(Number(n))).slug = slug;
    const report = await importData(publication, data);
    expect(report.tables.posts?.skipped).toBe(2);
    expect(all(publication, 'SELECT slug FROM posts ORDER BY id').flat()).toEqual([
      'post-1',
      'post-2',
      'about',
      'post-4',
      'post-5',
      'taken',
    ]);
  },
);

test.each([
  ['tags', 'slug', ['kitchen', 'taken']],
  ['members', 'email', ['Mia@Example.org', 'taken@site.test']],
] as const)(
  'a new row of %s whose %s another row of the source was to pass on is not taken for it',
  async (table, column, values) => {
    const publication = await createPublication();
    await importData(publication, readData());
    const [old, taken] = values;
    publication.insert(table, { id: HERE, [column]: taken });
    const data = readData();
    const row = rowsOf(data, table).find((one) => one[column] === old);
    const before = { ...row };
    Object.assign(row ?? {}, { [column]: taken });
    const added = {
      ...before,
      id: 'c'.repeat(24),
      uuid: 'c0c0c0c0-0000-4000-8000-000000000000',
      name: 'New',
    };
    rowsOf(data, table).push(added);
    const report = await importData(publication, data);
    const skipped = report.skipped.filter((one) => one.table === table);
    expect(skipped.map(({ id }) => id).toSorted()).toEqual([before.id, added.id].toSorted());
    const stored = `SELECT id, name FROM ${table} WHERE ${column} = '${old}'`;
    expect(all(publication, stored)).toEqual([[before.id, before.name]]);
  },
);

test('rows that only the database has stay, but links of imported posts are replaced', async () => {
  const publication = await createPublication();
  await importData(publication, readData());
  const tag = publication.insert('tags', {});
  const post = publication.insert('posts', {});
  const mine = publication.insert('posts_tags', { post_id: post, tag_id: tag });
  publication.insert('posts_tags', { post_id: idOf(1), tag_id: tag });
  const report = await importData(publication, readData());
  expect(report.tables.posts_tags?.removed).toBe(1);
  expect(all(publication, `SELECT id FROM posts_tags WHERE tag_id = '${tag}'`)).toEqual([[mine]]);
});

test('what an export leaves out keeps its value', async () => {
  const publication = await createPublication();
  await importData(publication, readData());
  publication.shell.prepare("UPDATE users SET threads = '@ben' WHERE slug = 'ben'").run();
  const { users = [], posts = [] } = readData();
  for (const post of posts) delete post.custom_excerpt;
  publication.shell.prepare("UPDATE posts SET custom_excerpt = 'short'").run();
  await isSettled(publication, { users, posts });
});

test('a body that comes back takes editor documents of another one with it that the source lacks', async () => {
  const publication = await createPublication();
  const data = readData();
  for (const post of rowsOf(data, 'posts')) delete post.lexical;
  await importData(publication, data);
  const documents = `SELECT html, lexical, mobiledoc FROM posts WHERE id = '${idOf(1)}'`;
  const imported = all(publication, documents);
  const edit = publication.shell.prepare('UPDATE posts SET html = ?, lexical = ?, mobiledoc = ?');
  edit.run('<p>Here</p>', '{"root":{}}', null);
  await importData(publication, data);
  expect(all(publication, documents)).toEqual(imported);
  // One of the body that stays is kept.
  publication.shell.exec(`UPDATE posts SET lexical = '{"root":{}}'`);
  await isSettled(publication, data);
});

test('a meta field that the row of a post in an old export leaves empty is emptied', async () => {
  const publication = await createPublication();
  const data = { posts: rowsOf(readData(), 'posts') };
  const [old, without] = [rowOf(data, 'posts', idOf(1)), rowOf(data, 'posts', idOf(2))];
  Object.assign(old, { meta_title: 'Old', og_title: 'Old', meta_description: null });
  await importData(publication, data);
  publication.insert('posts_meta', { post_id: String(without.id), meta_title: 'Here' });
  publication.shell.exec("UPDATE posts_meta SET meta_description = 'Here', frontmatter = 'Here'");
  Object.assign(old, { meta_title: null, og_title: '' });
  await importData(publication, data);
  const columns = 'meta_title, og_title, meta_description, frontmatter';
  const read = (id: unknown) =>
    all(publication, `SELECT ${columns} FROM posts_meta WHERE post_id = '${id}'`);
  expect(read(old.id)).toEqual([[null, null, null, 'Here']]);
  expect(read(without.id)).toEqual([['Here', null, 'Here', 'Here']]);
  await isSettled(publication, data);
});

test('keys that other rows refer to may be exchanged too', async () => {
  const publication = await createPublication();
  const data = readData();
  const [product, price] = [rowsOf(data, 'stripe_products'), rowsOf(data, 'stripe_prices')];
  product.push({ ...product[0], id: idOf(242), stripe_product_id: 'prod_b' });
  price.push({ ...price[0], id: idOf(243), stripe_price_id: 'b', stripe_product_id: 'prod_b' });
  await importData(publication, data);
  Object.assign(rowOf(data, 'stripe_products', idOf(240)), { stripe_product_id: 'prod_b' });
  Object.assign(rowOf(data, 'stripe_products', idOf(242)), { stripe_product_id: 'prod_a' });
  await importData(publication, data);
  expect(
    all(publication, 'SELECT processor_product_id FROM processor_products ORDER BY id'),
  ).toEqual([['prod_b'], ['prod_a']]);
  await isSettled(publication, data);
});

test('a link that cannot be taken this time is not removed', async () => {
  const publication = await createPublication();
  await importData(publication, readData());
  const data = readData();
  rowOf(data, 'posts_tags', idOf(300)).tag_id = 7;
  const report = await importData(publication, data);
  expect(report.tables.posts_tags).toMatchObject({ skipped: 1, removed: 0 });
  expect(all(publication, 'SELECT id FROM posts_tags').length).toBe(3);
});

test('a long chain of rows that wait for one another is refused as a whole', async () => {
  const length = 10_000;
  const publication = await createPublication();
  const slugs = Array.from({ length: length + 1 }, (_, at) => `chain-${at}`);
  const insert = publication.shell.prepare(
    "INSERT INTO tags (id, slug, name, created_at) VALUES (?, ?, 'T', '2026-01-01')",
  );
  publication.shell.transaction(() => {
    for (const [at, slug] of slugs.entries()) {
      insert.run(at === length ? HERE : idOf(100_000 + at), slug);
    }
  })();
  const tag = rowOf(readData(), 'tags', idOf(101));
  const tags = slugs.slice(0, length).map((_, at) => ({
    ...tag,
    id: idOf(100_000 + at),
    slug: slugs[at + 1],
  }));
  const report = await importData(publication, { posts: [], tags });
  expect(report.tables.tags).toMatchObject({ read: length, skipped: length });
});

test('rows of another publication with the same ids are refused, with their links', async () => {
  const publication = await createPublication();
  const post = { html: '<p>X</p>', status: 'published', created_at: '2015-01-02 00:00:00' };
  const blog = (name: string, year: number): ExportData => {
    const created_at = `${year}-01-01 00:00:00`;
    const uuid = `11111111-1111-4111-8111-0000000${year}0`;
    return {
      posts: [1, 2].map((id) => ({
        ...post,
        id,
        uuid: `${uuid.slice(0, -1)}${id}`,
        slug: `${name}-${id}`,
      })),
      tags: [{ id: 1, name, slug: name, created_at }],
      posts_tags: [{ post_id: 1, tag_id: 1 }],
    };
  };
  await importData(publication, blog('one', 2015));
  const { skipped } = await importData(publication, blog('two', 2016));
  const reason = (slug: string): string =>
    `is that of another row here, "${slug}": import the file into a publication of its own`;
  expect(skipped.map((row) => [row.table, row.reason])).toEqual([
    ['posts', reason('one-1')],
    ['posts', reason('one-2')],
    ['tags', reason('one')],
    ['posts_tags', expect.stringContaining('is not there')],
  ]);
  const slugs = 'SELECT slug FROM posts UNION SELECT slug FROM tags ORDER BY 1';
  expect(all(publication, slugs)).toEqual([['one'], ['one-1'], ['one-2']]);
  const renamed = blog('one', 2015);
  for (const row of [...(renamed.posts ?? []), ...(renamed.tags ?? [])])
    row.slug = `new-${row.slug}`;
  expect((await importData(publication, renamed)).skipped).toEqual([]);
  expect(all(publication, slugs)).toEqual([['new-one'], ['new-one-1'], ['new-one-2']]);
});
