// Queries of members themselves; what is linked to them is in member-links.ts and member-rows.ts.
import { type Selectable, sql } from 'kysely';
import { spellingsOf } from '../../../base/text/email.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable } from '../db.ts';
import { column, type ListSource } from '../list-source.ts';
import { findRow, rowsOf } from '../table-rows.ts';
import { MEMBER_COLUMNS, MEMBER_FILTERS } from './member-filters.ts';

export type MemberRow = Selectable<Tables['members']>;

const own = (name: string) => column('members', name);

export const MEMBER_LIST: ListSource<MemberRow> = {
  table: 'members',
  fields: MEMBER_FILTERS,
  orders: { ...MEMBER_COLUMNS.orders, name: sql`${own('name')} COLLATE NOCASE` },
  defaultOrder: sql`${MEMBER_COLUMNS.orders.created_at} DESC, members.id DESC`,
  searched: [own('name'), own('email')],
};

export const { find: findMember, insert: insertMember, update: updateMember } = rowsOf('members');

export const findMemberByUuid = (from: Queryable, uuid: string): Promise<MemberRow | undefined> =>
  findRow(from, 'members', { uuid });

/**
 * Ignores case, in letters of any script: the column does so for ASCII and by its index; the rare address
 * with other letters is looked for among those that are alike in the rest. One mailbox may have its domain in ASCII or in
 * letters.
 */
export const findMemberByEmail = async (
  from: Queryable,
  email: string,
): Promise<MemberRow | undefined> => {
  const query = db(from).selectFrom('members').selectAll();
  const found = await query.where('email', 'in', spellingsOf(email)).executeTakeFirst();
  if (found !== undefined || !/\P{ASCII}/u.test(email)) return found;
  const pattern = email.replace(/[\\%_]/g, '\\$&').replace(/\P{ASCII}+/gu, '%');
  const alike = await query.where(sql<boolean>`email LIKE ${pattern} ESCAPE '\\'`).execute();
  const folded = email.toLowerCase();
  return alike.find((row) => row.email.toLowerCase() === folded);
};

export const isSuppressed = async (from: Queryable, email: string): Promise<boolean> =>
  (await findRow(from, 'suppressions', { email })) !== undefined;
