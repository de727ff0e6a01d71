// The subscribers of Ghost 1 and 2, whose exports have them beside the content, as the members that Ghost 3 made of them.
import { deriveId } from '../../../base/ids.ts';
import { isEmail } from '../../../base/text/email.ts';

type Draft = Record<string, unknown>;

/** Ghost 3 made members of the subscribers of Ghost 1 and 2. */
export const tableNow = (table: string): string => (table === 'subscribers' ? 'members' : table);

/** Who left there, or never confirmed, has no newsletter. `taken`: ids of earlier ones. */
export const memberOf = (row: Draft, taken: Set<string>): Draft & { readonly id: string } => {
  const { name, created_at, status, unsubscribed_at } = row;
  const email = String(row.email ?? '').trim();
  const isReader = isEmail(email);
  // Ids of another export may be the same small numbers, and rows of this one may have one id between them.
  const known = deriveId('subscribers', String(row.id), String(created_at ?? email));
  const id = taken.has(known) ? deriveId(known, email) : known;
  taken.add(id);
  const subscribed = isReader && status === 'subscribed' && !unsubscribed_at;
  return { id, email: isReader ? email : null, name, created_at, status: 'free', subscribed };
};
