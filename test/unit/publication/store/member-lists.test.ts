// A page of a long list of members is read from an index, and counts and pages agree.

import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { DB } from '../../../../src/publication/store/db.ts';
import {
  countRows,
  type ListQuery,
  listRows,
} from '../../../../src/publication/store/list-source.ts';
import { MEMBER_LIST } from '../../../../src/publication/store/members/members.ts';
import { ImmediateSqliteDialect } from '../../../../src/publication/store/sqlite/dialect.ts';
import { openListReader } from '../../../../src/publication/store/sqlite/reading-time.ts';
import type { Tables } from '../../../../src/publication/tables/tables.ts';
import { createPublication } from '../../../helpers/publication.ts';
import { readFilter } from '../../../helpers/read-filter.ts';

const TIMES = ['2026-01-02T00:00:00.000Z', '2026-01-03 00:00:00', '1767571200000'];

/** A publication whose queries are explained as they run. */
const createMembers = async () => {
  const { shell, insert, path } = await createPublication();
  const [label, newsletter] = [
    insert('labels', { name: 'L', slug: 'vip', created_at: TIMES[0] }),
    insert('newsletters', { uuid: 'n', name: 'N', slug: 'n', created_at: TIMES[0] }),
  ];
  shell.transaction(() => {
    for (let at = 0; at < 300; at += 1) {
      const status = at % 3 === 0 ? 'paid' : 'free';
      const id = insert('members', { status, created_at: TIMES[at % 3] });
      if (at % 10 === 0) insert('members_labels', { member_id: id, label_id: label });
      if (at % 2 === 0) insert('members_newsletters', { member_id: id, newsletter_id: newsletter });
    }
  })();
  const plans: string[] = [];
  const database = openListReader(path);
  const reader = new Kysely<Tables>({
    dialect: new ImmediateSqliteDialect({ database, lockTimeoutMs: 0 }),
    log: ({ query }) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${query.sql}`).all(query.parameters);
      plans.push(...(rows as { detail: string }[]).map(({ detail }) => detail));
    },
  });
  onTestFinished(async () => {
    await reader.destroy();
    database.close();
  });
  return { reader: { [DB]: reader }, plans };
};

const queryOf = (filter: string | null, order: ListQuery['order'] = []): ListQuery => ({
  filter: filter === null ? null : readFilter(filter),
  search: null,
  order,
});

const NEWEST = [{ field: 'created_at', direction: 'desc' }] as const;
const OLDEST = [{ field: 'created_at', direction: 'asc' }] as const;

test.each([
  [null, []],
  [null, NEWEST],
  ['status:paid', []],
  ['status:free', NEWEST],
  ["created_at:>'2026-01-02'", []],
  ['label:vip', []],
  ['subscribed:true', []],
] as const)('a page of %s in order %j sorts nothing', async (filter, order) => {
  const { reader, plans } = await createMembers();
  const rows = await listRows(reader, MEMBER_LIST, {
    ...queryOf(filter, order),
    limit: 15,
    offset: 15,
    total: 10_000,
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(plans.filter((line) => /USE TEMP B-TREE/.test(line))).toEqual([]);
  expect(plans).toContainEqual(
    expect.stringMatching(/members USING INDEX members_by_(?:time|status)/),
  );
});

test.each(['label:vip', "email:~'99@'"])('a page of the few that %s is sorted', async (filter) => {
  const { reader, plans } = await createMembers();
  const query = queryOf(filter);
  const total = await countRows(reader, MEMBER_LIST, query);
  plans.length = 0;
  await listRows(reader, MEMBER_LIST, { ...query, limit: 15, offset: 0, total });
  expect(plans).toContainEqual('USE TEMP B-TREE FOR ORDER BY');
  expect(plans.filter((line) => /members_by_time|CORRELATED/.test(line))).toEqual([]);
});

test('times of every form stand in their order', async () => {
  const { reader } = await createMembers();
  for (const order of [NEWEST, OLDEST]) {
    const rows = await listRows(reader, MEMBER_LIST, {
      ...queryOf(null, order),
      limit: 300,
      offset: 0,
      total: 300,
    });
    const forms = [...new Set(rows.map(({ created_at }) => String(created_at)))];
    expect(forms).toEqual(order === OLDEST ? TIMES : TIMES.toReversed());
  }
});

test('the members with a label are counted from the label', async () => {
  const { reader, plans } = await createMembers();
  expect(await countRows(reader, MEMBER_LIST, queryOf('label:vip'))).toBe(30);
  // One reading of the links, not one for each member.
  expect(plans.filter((line) => line.includes('CORRELATED'))).toEqual([]);
});
