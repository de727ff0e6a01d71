// Columns of the files that other newsletter programs export (Mailchimp, Substack, Buttondown, beehiiv), and what their
// cells say in Ghost's words. Whoever left there must not be subscribed here.
import type { MembersColumn } from './members-columns.ts';

/** By names in lower case; they count where the file has no column of Ghost's name. */
export const FOREIGN_NAMES: Readonly<Record<string, MembersColumn>> = {
  'email address': 'email',
  email_address: 'email',
  notes: 'note',
  tags: 'labels',
  creation_date: 'created_at',
  confirm_time: 'created_at',
};

const GONE =
  /^(?:inactive|unsubscribed|unactivated|unconfirmed|undeliverable|cleaned|bounced|complained|cancelled|pending|invalid|disabled|removed|blocked|spammy)$/;

/** Of each column, which cells say that the reader gets no mail. */
const SAYS_GONE = new Map(
  Object.entries({
    email_disabled: (word: string) => !['', 'false', 'no', '0'].includes(word),
    status: (word: string) => GONE.test(word),
    type: (word: string) => GONE.test(word),
    subscriber_type: (word: string) => GONE.test(word),
    unsub_time: (word: string) => word !== '',
    unsubscription_date: (word: string) => word !== '',
    unsubscribed_at: (word: string) => word !== '',
  }),
);

type Fields = Readonly<Partial<Record<MembersColumn, string>>>;

type Foreign = {
  /** The file's own, in lower case. */
  readonly names: readonly string[];
  readonly cells: readonly string[];
};

/** Adds what other columns say to what Ghost's say. */
export const withForeign = (fields: Fields, { names, cells }: Foreign): Fields => {
  const cellOf = (name: string): string => cells[names.indexOf(name)]?.trim() ?? '';
  const name = [cellOf('first name'), cellOf('last name')].filter(Boolean).join(' ');
  const isGone = names.some((each) => SAYS_GONE.get(each)?.(cellOf(each).toLowerCase()));
  return {
    ...(name !== '' && { name }),
    ...fields,
    ...(isGone && { subscribed_to_emails: 'false' }),
  };
};
