// What the publication has of the members of some lines of a CSV, read in a few queries.
import { groupBy } from '../../../base/group-by.ts';
import { foldEmail } from '../../../base/text/email.ts';
import { parseStoredTime } from '../../../base/time.ts';
import { findRows, type Row, type TableName } from '../../store/import/import-rows.ts';
import { PAYING } from '../../store/members/member-links.ts';
import type { Transaction } from '../../store/store.ts';
import type { CheckedLine } from './check-member-lines.ts';
import { readMembers } from './members-by-address.ts';

type Links = ReadonlyMap<string, readonly Row[]>;

export type Known = {
  /** By folded address. */
  readonly members: ReadonlyMap<string, Row>;
  readonly takenIds: ReadonlySet<unknown>;
  /** Ids of members by that of the customer. */
  readonly customers: ReadonlyMap<unknown, unknown>;
  /** The same by that of the gift they redeemed. */
  readonly gifts: ReadonlyMap<unknown, unknown>;
  /** Ids of members. */
  readonly paying: ReadonlySet<unknown>;
  /** Folded addresses. */
  readonly suppressed: ReadonlySet<string>;
  /** When members left a newsletter last, in milliseconds, by their ids. */
  readonly leavers: ReadonlyMap<unknown, number>;
  /** By member. */
  readonly labels: Links;
  readonly newsletters: Links;
  readonly tiers: Links;
};

export const readKnown = async (tx: Transaction, lines: readonly CheckedLine[]): Promise<Known> => {
  const emails = lines.map(({ email }) => email);
  const members = await readMembers(tx, emails);
  const ids = lines.flatMap(({ id }) => id ?? []);
  const taken = await findRows(tx, {
    table: 'members',
    columns: ['id'],
    by: 'id',
    values: ids,
  });
  const customerIds = lines.flatMap(({ customerId }) => customerId ?? []);
  const customers = await findRows(tx, {
    table: 'customers',
    by: 'customer_id',
    values: customerIds,
  });
  const giftIds = lines.flatMap(({ giftId }) => giftId ?? []);
  const gifts = await findRows(tx, { table: 'gifts', by: 'id', values: giftIds });
  const suppressed = await findRows(tx, { table: 'suppressions', by: 'email', values: emails });
  const memberIds = [...members.values()].map(({ id }) => String(id));
  const linksIn = (table: TableName): Promise<Links> => readLinks(tx, table, memberIds);
  return {
    members,
    takenIds: new Set(taken.map(({ id }) => id)),
    customers: new Map(customers.map((row) => [row.customer_id, row.member_id])),
    gifts: new Map(gifts.map((row) => [row.id, row.redeemer_member_id])),
    paying: await readPaying(tx, memberIds),
    suppressed: new Set(suppressed.map((row) => foldEmail(String(row.email)))),
    leavers: await readLeavers(tx, memberIds),
    labels: await linksIn('members_labels'),
    newsletters: await linksIn('members_newsletters'),
    tiers: await linksIn('members_tiers'),
  };
};

const readPaying = async (tx: Transaction, memberIds: readonly string[]): Promise<Set<unknown>> => {
  const customers = await findRows(tx, {
    table: 'customers',
    by: 'member_id',
    values: memberIds,
  });
  const subscriptions = await findRows(tx, {
    table: 'subscriptions',
    columns: ['customer_id', 'status'],
    by: 'customer_id',
    values: customers.map((row) => row.customer_id ?? null),
  });
  const paying = new Set(
    subscriptions
      .filter(({ status }) => PAYING.includes(String(status)))
      .map((row) => row.customer_id),
  );
  return new Set(
    customers.filter((row) => paying.has(row.customer_id)).map((row) => row.member_id),
  );
};

const readLeavers = async (
  tx: Transaction,
  memberIds: readonly string[],
): Promise<Map<unknown, number>> => {
  const columns = ['member_id', 'subscribed', 'created_at'];
  const search = { columns, by: 'member_id', values: memberIds } as const;
  const leavers = new Map<unknown, number>();
  for (const row of await findRows(tx, { table: 'members_subscribe_events', ...search })) {
    if (row.subscribed !== 0) continue;
    const leftMs = parseStoredTime(String(row.created_at)) ?? 0;
    leavers.set(row.member_id, Math.max(leftMs, leavers.get(row.member_id) ?? 0));
  }
  return leavers;
};

const readLinks = async (
  tx: Transaction,
  table: TableName,
  memberIds: readonly string[],
): Promise<Links> => {
  const rows = await findRows(tx, { table, by: 'member_id', values: memberIds });
  return groupBy(rows, (row) => String(row.member_id));
};
