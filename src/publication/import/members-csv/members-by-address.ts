// The members that have some addresses, however they are spelt.
import { foldEmail, isInternational } from '../../../base/text/email.ts';
import { findRows, type Row } from '../../store/import/import-rows.ts';
import { findMemberByEmail } from '../../store/members/members.ts';
import type { Queryable } from '../../store/store.ts';

/** By folded address. */
export const readMembers = async (
  from: Queryable,
  emails: readonly string[],
): Promise<Map<string, Row>> => {
  const found = await findRows(from, { table: 'members', by: 'email', values: emails });
  const members = new Map(found.map((row) => [foldEmail(String(row.email)), row]));
  // The column folds ASCII alone, and knows one spelling of a mailbox.
  for (const email of emails) {
    if (!isInternational(email) || members.has(foldEmail(email))) continue;
    const row = await findMemberByEmail(from, email);
    if (row !== undefined) members.set(foldEmail(email), row as Row);
  }
  return members;
};
