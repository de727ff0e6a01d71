// Queries of members themselves; what is linked to them is in member-links.ts and member-rows.ts.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Tables } from '../../tables/tables.ts';
import { timeText } from '../list-filter.ts';
import { column, type ListSource, timeColumns } from '../list-source.ts';
import type { Reader, Writer } from '../store.ts';
import { deleteRow, findRow, insertRow, updateRow } from '../table-rows.ts';
import { MEMBER_FILTERS } from './member-filters.ts';

export type MemberRow = Selectable<Tables['members']>;
export type MemberChanges = Updateable<Tables['members']>;

const own = (name: string) => column('members', name);

export const MEMBER_LIST: ListSource<MemberRow> = {
  table: 'members',
  fields: MEMBER_FILTERS,
  orders: {
    id: own('id'),
    email: own('email'),
    name: sql`${own('name')} COLLATE NOCASE`,
    status: own('status'),
    email_count: own('email_count'),
    email_opened_count: own('email_opened_count'),
    email_open_rate: own('email_open_rate'),
    ...timeColumns('members', ['created_at', 'updated_at', 'last_seen_at']),
  },
  defaultOrder: sql`${timeText(own('created_at'))} DESC, members.id DESC`,
  searched: [own('name'), own('email')],
};

export const findMember = (reader: Reader, id: string): Promise<MemberRow | undefined> =>
  findRow(reader, 'members', { id });

export const findMemberByUuid = (reader: Reader, uuid: string): Promise<MemberRow | undefined> =>
  findRow(reader, 'members', { uuid });

/**
 * Ignores case, in letters of any script: the column does so for ASCII and by its index; the rare address
 * with other letters is looked for among those that are alike in the rest.
 */
export const findMemberByEmail = async (
  reader: Reader,
  email: string,
): Promise<MemberRow | undefined> => {
  const query = reader.selectFrom('members').selectAll();
  if (!/\P{ASCII}/u.test(email)) return query.where('email', '=', email).executeTakeFirst();
  const pattern = email.replace(/[\\%_]/g, '\\$&').replace(/\P{ASCII}+/gu, '%');
  const alike = await query.where(sql<boolean>`email LIKE ${pattern} ESCAPE '\\'`).execute();
  const folded = email.toLowerCase();
  return alike.find((row) => row.email.toLowerCase() === folded);
};

export const insertMember = (writer: Writer, row: Insertable<Tables['members']>): Promise<void> =>
  insertRow(writer, 'members', row);

export const updateMember = (writer: Writer, id: string, changes: MemberChanges): Promise<void> =>
  updateRow(writer, 'members', { ...changes, id });

/** False when there is no such member. */
export const deleteMemberRow = (writer: Writer, id: string): Promise<boolean> =>
  deleteRow(writer, 'members', { id });

export const isSuppressed = async (reader: Reader, email: string): Promise<boolean> => {
  const row = await reader
    .selectFrom('suppressions')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
};
