import { expect, test } from 'vitest';
import { createPublication } from '../../../helpers/publication.ts';
import { type ExportData, idOf, importData, readData, rowOf, rowsOf } from './ghost-import.ts';

/** Rows and values listed besides the one author link that the fixture breaks: table, number of the id, field, then words of the reason. */
type Case = readonly [name: string, change: (data: ExportData) => void, skipped: readonly string[]];

const set =
  (table: string, number: number, values: Record<string, unknown>) => (data: ExportData) =>
    void Object.assign(rowOf(data, table, idOf(number)), values);

const again =
  (number: number, values: Record<string, unknown>) =>
  (data: ExportData): void =>
    void rowsOf(data, 'tags').push({ ...rowOf(data, 'tags', idOf(number)), ...values });

const both =
  (...changes: readonly ((data: ExportData) => void)[]) =>
  (data: ExportData): void => {
    for (const change of changes) change(data);
  };

const CASES: readonly Case[] = [
  [
    'a post whose title is no text, and what belongs to it',
    set('posts', 2, { title: ['a'] }),
    [
      'posts 2 title: text',
      ...['posts_tags 302', 'posts_authors 402', 'posts_products 220'].map(
        (row) => `${row} post_id: posts that is not there`,
      ),
    ],
  ],
  [
    'no slug, and no name to make one of',
    set('tags', 101, { slug: '', name: '' }),
    ['tags 101 name: is missing, slug is missing', 'posts_tags 300 tag_id: tags'],
  ],
  [
    'a name that is blank, where one is required',
    both(
      set('tags', 101, { name: ' ' }),
      set('labels', 710, { name: '' }),
      set('members', 701, { name: '' }),
    ),
    [
      'tags 101 name: is missing',
      'posts_tags 300 tag_id: tags',
      'labels 710 name: cannot be read, and a new row needs it',
      'labels 710 name: is missing',
      'members_labels 711 label_id: labels',
    ],
  ],
  ['another status', set('posts', 4, { status: 'pending' }), ['posts 4 status: none of draft']],
  [
    'a required time that cannot be read',
    set('benefits', 230, { created_at: 'yesterday' }),
    ['benefits 230 created_at: time'],
  ],
  [
    'an optional time that cannot be read',
    set('labels', 710, { updated_at: '2026-01-01T10:00 somewhere' }),
    ['labels 710 updated_at: time'],
  ],
  [
    'a time beyond all calendars',
    set('labels', 710, { updated_at: '9'.repeat(20) }),
    ['labels 710 updated_at: time'],
  ],
  [
    'a number that is a text, and one that is no whole number',
    both(
      set('offers', 250, { discount_amount: 'much' }),
      set('stripe_prices', 241, { amount: 1.5 }),
    ),
    [
      'stripe_prices 241 amount: cannot be read, and a new row needs it',
      'stripe_prices 241 amount: whole number',
      'offers 250 discount_amount: cannot be read, and a new row needs it',
      'offers 250 discount_amount: whole number',
      'offer_redemptions 722 offer_id: offers',
    ],
  ],
  [
    'a text that is an object',
    set('posts_meta', 350, { og_title: { deep: [1] } }),
    ['posts_meta 350 og_title: not a text'],
  ],
  [
    'an id that is none, in a row and in a link',
    both(again(101, { id: true, slug: 'n' }), set('posts_tags', 300, { tag_id: false })),
    ['tags true id: hexadecimal', 'posts_tags 300 tag_id: hexadecimal'],
  ],
  [
    'html whose elements are nested too deeply, and a text that is too long',
    both(
      set('posts', 4, { html: '<div>'.repeat(1_001) }),
      set('labels', 710, { name: 'n'.repeat(1024 * 1024 + 1) }),
    ),
    [
      'posts 4 html: has elements nested more than 1000 deep',
      'labels 710 name: cannot be read, and a new row needs it',
      'labels 710 name: is 1048577 bytes long, more than the 1048576 allowed',
      'members_labels 711 label_id: labels',
    ],
  ],
  ['the same id twice', again(101, { slug: 'another' }), ['tags 101 id: twice']],
  ['a slug twice', again(102, { id: idOf(109) }), [`tags 109 slug: same as in row ${idOf(102)}`]],
  [
    'two posts with one slug and type',
    set('posts', 4, { slug: 'post-1' }),
    ['posts 4 slug and type: same as in row'],
  ],
  [
    'rows that are no objects',
    (data) => void rowsOf(data, 'tags').push(null as never, 5 as never, [1] as never),
    ['tags  a row: not an object', 'tags  a row: not an object', 'tags  a row: not an object'],
  ],
];

test.each(CASES)('listed: %s', async (_name, change, skipped) => {
  const publication = await createPublication();
  const data = readData();
  change(data);
  const report = await importData(publication, data);
  const listed = [...report.skipped, ...report.leftOut]
    .filter(({ id }) => id !== idOf(405))
    .map(({ table, id, field, reason }) => `${table} ${id} ${field}: ${reason}`)
    .sort();
  const expected = skipped
    .map((row) => row.replace(/ (\d+) /, (_, number) => ` ${idOf(Number(number))} `))
    .sort();
  const places = (rows: readonly string[]): string[] => rows.map((row) => row.split(':')[0] ?? '');
  expect(places(listed)).toEqual(places(expected));
  for (const [at, row] of expected.entries()) {
    expect(listed[at]).toContain(row.slice(row.indexOf(': ') + 2));
  }
  const posts = publication.shell.prepare('SELECT count(*) FROM posts').pluck().get();
  expect(posts).toBe(5 - skipped.filter((row) => row.startsWith('posts ')).length);
});

test('a reference that may be empty is emptied when it leads nowhere', async () => {
  const publication = await createPublication();
  const data = readData();
  set('posts', 1, { newsletter_id: idOf(999) })(data);
  const report = await importData(publication, data);
  expect(report.tables.posts?.added).toBe(5);
  expect(report.warnings.join('\n')).toContain(`left empty: 1 (posts ${idOf(1)})`);
});

test('the same slug twice: the link leads to the first of them', async () => {
  const publication = await createPublication();
  const data = readData();
  again(102, { id: idOf(109) })(data);
  set('posts_tags', 302, { tag_id: idOf(109) })(data);
  await importData(publication, data);
  const tag = publication.shell
    .prepare('SELECT tag_id FROM posts_tags WHERE id = ?')
    .pluck()
    .get(idOf(302));
  expect(tag).toBe(idOf(102));
});
