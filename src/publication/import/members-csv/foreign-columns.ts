// Columns of the files that other newsletter programs export (Mailchimp, Substack, Kit, Brevo and others), and what their
// cells say in Ghost's words. Whoever left there must not be subscribed here: what may say so counts as if it did.
import { parseImportTime } from '../intake/import-time.ts';
import type { MembersColumn } from './members-columns.ts';

/** By names in lower case, with `_` for spaces; they count where the file has no column of Ghost's name. */
export const FOREIGN_NAMES: Readonly<Record<string, MembersColumn>> = {
  email_address: 'email',
  notes: 'note',
  tags: 'labels',
};

/** Several may stand in one file; the first that says something counts, of times the first that can be read. */
const NAMES = ['full_name'];
const FIRST_NAMES = ['first_name', 'firstname', 'fname'];
const LAST_NAMES = ['last_name', 'lastname', 'lname'];
const TIMES = [
  ...['confirm_time', 'optin_time', 'created_at', 'creation_date', 'start_date', 'added_time'],
  ...['subscribed_at', 'subscription_date', 'signup_date', 'date_added', 'opt_in_time'],
];

const GONE =
  /^(?:inactive|unsubscribed|non-?subscribed|unactivated|unconfirmed|undeliverable|cleaned|bounced|(?:hard|soft)[ _]bounced?|complained|cancell?ed|pending|validating|paused|invalid|disabled|removed|deleted|archived|suppressed|bl(?:ock|ack)listed|blocked|spam(?:my)?|junk|opted[ _-]?out)$/;
const NO = /^(?:|false|f|no|n|0|0[.]0|off|null|none|never|-|n[/]a|0000-00-00.*)$/;

/** Names of columns, and which of their cells, in lower case, say that the reader gets no mail. */
const SAYS_GONE: readonly (readonly [RegExp, (cell: string) => boolean])[] = [
  [
    /^(?:(?:e?mail|subscri(?:ber|ption)|contact|membership)_)?(?:status|state|type)$/,
    (cell) => GONE.test(cell),
  ],
  [
    /^(?:is_)?(?:e?mail_?)?(?:unsub(?=_)|unsubscri(?:bed|be(?=_)|ption(?=_))|cleaned|clean(?=_)|(?:hard_|soft_)?bounced|bounce(?=_)|complained|complaint(?=_)|opt(?:ed)?_?out|bl(?:ack|ock)listed|disabled|suppressed)(?:_(?:at|on|time|date|reason|campaign_title|campaign_id))?$/,
    (cell) => !NO.test(cell),
  ],
  [
    /^(?:e?mail_)?(?:opt(?:ed)?_?in|is_subscribed|(?:accepts_)?(?:e?mail_)?marketing(?:_consent)?)$/,
    (cell) => cell !== '' && (NO.test(cell) || GONE.test(cell)),
  ],
];

/** Such as `May 1, 2024`. */
const withZone = (time: string): string =>
  /[a-z]{3}/i.test(time) && parseImportTime(time) === undefined ? `${time} UTC` : time;

type Fields = Readonly<Partial<Record<MembersColumn, string>>>;

type Foreign = {
  /** Of the file's columns, as it writes them. */
  readonly header: readonly string[];
  readonly cells: readonly string[];
};

/** What the lists here call a column. */
export const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/** Adds what other columns say to what Ghost's say, and the column that says that the reader left. */
export const withForeign = (
  fields: Fields,
  { header, cells }: Foreign,
): { readonly fields: Fields; readonly goneBy: string | null } => {
  const names = header.map(plainName);
  const first = (columns: readonly string[]): string =>
    columns.map((name) => cells[names.indexOf(name)]?.trim() ?? '').find(Boolean) ?? '';
  const name = first(NAMES) || [first(FIRST_NAMES), first(LAST_NAMES)].filter(Boolean).join(' ');
  const time = TIMES.map((column) => withZone(cells[names.indexOf(column)]?.trim() ?? '')).find(
    (one) => typeof parseImportTime(one) === 'string',
  );
  const goneBy = header.find((_, at) =>
    SAYS_GONE.some(
      ([form, says]) => form.test(names[at] ?? '') && says(cells[at]?.trim().toLowerCase() ?? ''),
    ),
  );
  return {
    fields: {
      ...(name !== '' && { name }),
      ...(time !== undefined && { created_at: time }),
      ...fields,
      ...(goneBy !== undefined && { subscribed_to_emails: 'false' }),
    },
    goneBy: goneBy?.trim() ?? null,
  };
};
