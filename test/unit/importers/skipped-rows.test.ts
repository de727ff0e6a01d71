import { expect, test } from 'vitest';
import { createPublication } from '../../helpers/publication.ts';
import { type ExportData, idOf, importData, readData, rowOf, rowsOf } from './ghost-import.ts';

type Case = {
  readonly name: string;
  readonly change: (data: ExportData) => void;
  /** Rows listed besides the one author link that the fixture breaks: table, id, field, reason. */
  readonly skipped: readonly (readonly [string, string, string, RegExp])[];
};

const set =
  (table: string, number: number, values: Record<string, unknown>) => (data: ExportData) =>
    void Object.assign(rowOf(data, table, idOf(number)), values);

const CASES: readonly Case[] = [
  {
    name: 'a post without a title, and what belongs to it',
    change: set('posts', 2, { title: undefined }),
    skipped: [
      ['posts', idOf(2), 'title', /missing/],
      ['posts_tags', idOf(302), 'post_id', /posts that is not there/],
      ['posts_authors', idOf(402), 'post_id', /posts that is not there/],
      ['posts_products', idOf(220), 'post_id', /posts that is not there/],
    ],
  },
  {
    name: 'an empty slug',
    change: set('tags', 101, { slug: '' }),
    skipped: [
      ['tags', idOf(101), 'slug', /missing/],
      ['posts_tags', idOf(300), 'tag_id', /tags/],
    ],
  },
  {
    name: 'a status that there is not',
    change: set('posts', 4, { status: 'pending' }),
    skipped: [['posts', idOf(4), 'status', /none of draft/]],
  },
  {
    name: 'a required time that cannot be read',
    change: set('benefits', 230, { created_at: 'yesterday' }),
    skipped: [
      ['benefits', idOf(230), 'created_at', /time/],
      ['products_benefits', idOf(231), 'benefit_id', /benefits/],
    ],
  },
  {
    name: 'an optional time that cannot be read',
    change: set('labels', 710, { updated_at: '2026-01-01T10:00 somewhere' }),
    skipped: [
      ['labels', idOf(710), 'updated_at', /time/],
      ['members_labels', idOf(711), 'label_id', /labels/],
    ],
  },
  {
    name: 'a time beyond all calendars',
    change: set('labels', 710, { updated_at: '9'.repeat(20) }),
    skipped: [
      ['labels', idOf(710), 'updated_at', /time/],
      ['members_labels', idOf(711), 'label_id', /labels/],
    ],
  },
  {
    name: 'a number that is a text, and one that is no whole number',
    change: (data) => {
      set('offers', 250, { discount_amount: 'much' })(data);
      set('stripe_prices', 241, { amount: 1.5 })(data);
    },
    skipped: [
      ['stripe_prices', idOf(241), 'amount', /whole number/],
      ['offers', idOf(250), 'discount_amount', /whole number/],
      ['offer_redemptions', idOf(722), 'offer_id', /offers/],
    ],
  },
  {
    name: 'a text that is an object',
    change: set('posts_meta', 350, { og_title: { deep: [1] } }),
    skipped: [['posts_meta', idOf(350), 'og_title', /not a text/]],
  },
  {
    name: 'an id that is none, in a row and in a link',
    change: (data) => {
      rowsOf(data, 'tags').push({ ...rowOf(data, 'tags', idOf(101)), id: 'NOT-AN-ID', slug: 'n' });
      set('posts_tags', 300, { tag_id: 7 })(data);
    },
    skipped: [
      ['tags', 'NOT-AN-ID', 'id', /24 hexadecimal/],
      ['posts_tags', idOf(300), 'tag_id', /24 hexadecimal/],
    ],
  },
  {
    name: 'html whose elements are nested too deeply, and a text that is too long',
    change: (data) => {
      set('posts', 4, { html: '<div>'.repeat(1_001) })(data);
      set('labels', 710, { name: 'n'.repeat(1024 * 1024 + 1) })(data);
    },
    skipped: [
      ['posts', idOf(4), 'html', /^has elements nested more than 1000 deep$/],
      ['labels', idOf(710), 'name', /^is 1048577 bytes long, more than the 1048576 allowed$/],
      ['members_labels', idOf(711), 'label_id', /labels/],
    ],
  },
  {
    name: 'the same id twice',
    change: (data) => {
      rowsOf(data, 'tags').push({ ...rowOf(data, 'tags', idOf(101)), slug: 'another' });
    },
    skipped: [['tags', idOf(101), 'id', /twice/]],
  },
  {
    name: 'the same slug twice: links go to the first',
    change: (data) => {
      const again = { ...rowOf(data, 'tags', idOf(102)), id: idOf(109) };
      rowsOf(data, 'tags').push(again);
      set('posts_tags', 302, { tag_id: idOf(109) })(data);
    },
    skipped: [['tags', idOf(109), 'slug', /same as in row a0+66/]],
  },
  {
    name: 'two posts with one slug and type',
    change: set('posts', 4, { slug: 'post-1' }),
    skipped: [['posts', idOf(4), 'slug and type', /same as in row/]],
  },
  {
    name: 'a row that is no object',
    change: (data) => void rowsOf(data, 'tags').push(null as never, 5 as never, [1] as never),
    skipped: [
      ['tags', '', '', /not a row/],
      ['tags', '', '', /not a row/],
      ['tags', '', '', /not a row/],
    ],
  },
];

for (const { name, change, skipped } of CASES) {
  test(`listed: ${name}`, async () => {
    const publication = await createPublication();
    const data = readData();
    change(data);
    const report = await importData(publication, data);
    const listed = report.skipped.filter(({ id }) => id !== idOf(405));
    const sort = (rows: readonly (readonly unknown[])[]): unknown[] =>
      rows.map((row) => row.slice(0, 3).join(' ')).sort();
    expect(sort(listed.map(({ table, id, field, reason }) => [table, id, field, reason]))).toEqual(
      sort(skipped),
    );
    for (const [table, id, , reason] of skipped) {
      expect(listed.find((row) => row.table === table && row.id === id)?.reason).toMatch(reason);
    }
    const rows = publication.shell.prepare('SELECT count(*) FROM posts').pluck().get();
    expect(rows).toBe(5 - skipped.filter(([table]) => table === 'posts').length);
  });
}

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
  rowsOf(data, 'tags').push({ ...rowOf(data, 'tags', idOf(102)), id: idOf(109) });
  set('posts_tags', 302, { tag_id: idOf(109) })(data);
  await importData(publication, data);
  const tag = publication.shell
    .prepare('SELECT tag_id FROM posts_tags WHERE id = ?')
    .pluck()
    .get(idOf(302));
  expect(tag).toBe(idOf(102));
});
