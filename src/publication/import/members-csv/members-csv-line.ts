// One line of a members CSV -> what it says of a member. Pure. Cells are read as Ghost's own import reads them; a cell
// that cannot be taken rejects the line.

import * as z from 'zod';
import { NAME_CHARACTERS_MAX, NOTE_CHARACTERS_MAX } from '../../../base/limits.ts';
import { emailFault, isEmail } from '../../../base/text/email.ts';
import { parseImportTime } from '../intake/import-time.ts';
import { type Problem, parseId } from '../intake/normalise-row.ts';
import { isNothing } from './consent-columns.ts';
import { withoutGuard } from './formula-guard.ts';
import type { MembersColumn } from './members-columns.ts';
import type { CsvLine } from './members-csv-file.ts';
import { readYesNo } from './yes-no.ts';

const memberStatus = z.enum(['free', 'paid', 'comped', 'gift']);
export type MemberStatus = z.output<typeof memberStatus>;

export const memberLine = z.object({
  line: z.number(),
  email: z.string(),
  id: z.string().nullable(),
  name: z.string().nullish(),
  note: z.string().nullish(),
  createdAt: z.string().nullable(),
  isSubscribed: z.boolean().optional(),
  /** Nobody new is subscribed by the line, and of a member who is here it says nothing. */
  isDoubtful: z.boolean().optional(),
  labels: z.array(z.string()).readonly().optional(),
  /** Names. */
  tiers: z.array(z.string()).readonly().optional(),
  status: memberStatus.optional(),
  customerId: z.string().nullable(),
  giftId: z.string().nullable(),
});
export type MemberLine = Readonly<z.output<typeof memberLine>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const UNSTORABLE = /\u0000/;

const unclear = (word: string): string =>
  `may say whether the reader wants mail, and "${shortened(word)}" is not understood: map the column, or ignore it to import the reader unsubscribed`;

const shortened = (cell: string): string =>
  cell.length > SHOWN_MAX ? `${cell.slice(0, SHOWN_MAX)}...` : cell;

const SHOWN_MAX = 60;

/** The rest of a sentence about a column whose cells tell nobody who the reader is. */
export const gotOf = ({ fields }: CsvLine, field: string): string => {
  const column = SHOWN_COLUMNS.find((one) => one === field);
  const cell = column === undefined ? '' : (fields[column] ?? '');
  return cell.trim() === '' ? '' : `, got "${shortened(cell)}"`;
};

const SHOWN_COLUMNS: readonly MembersColumn[] = [
  ...(['subscribed_to_emails', 'complimentary_plan', 'created_at'] as const),
  ...(['deleted_at', 'tiers', 'gift_id'] as const),
];

/** A member cannot have been made after `nowMs`. */
export const parseMemberLine = (
  { line, fields, fault, unclearBy, isDoubtful }: CsvLine,
  nowMs: number,
): MemberLine | Problem => {
  if (fault !== null) return { field: 'line', reason: fault };
  if (unclearBy !== null) {
    return { field: unclearBy.name, reason: unclear(unclearBy.word) };
  }
  const email = readEmail(fields);
  if (email === '') return { field: 'email', reason: 'is missing' };
  if (email === null) return { field: 'email', reason: emailFault(bareEmail(fields)) };
  if (fields.deleted_at) {
    return { field: 'deleted_at', reason: 'says that the member was deleted' };
  }
  const createdAt = parseImportTime(fields.created_at ?? null);
  if (createdAt === undefined) {
    return { field: 'created_at', reason: 'is not a time that can be read' };
  }
  const [name, note] = [textOf(fields.name), textOf(fields.note)];
  const tiers = listOf(fields.tiers);
  const labels = listOf(fields.labels);
  const problem = findCellProblem(fields, { name, note, labels }) ?? findPlanProblem(fields, tiers);
  if (problem !== null) return problem;
  return {
    line,
    email,
    id: parseId(fields.id ?? null),
    name,
    note,
    createdAt: past(createdAt, nowMs),
    isSubscribed: readSubscribed(fields) ?? undefined,
    isDoubtful: isDoubtful || undefined,
    labels,
    tiers,
    status: statusOf(fields, tiers),
    customerId: readCustomer(fields.stripe_customer_id) ?? null,
    giftId: textOf(fields.gift_id)?.trim() ?? null,
  };
};

/** As mail programs copy it: `Ann <a@example.com>`, `mailto:a@example.com`. */
const BARE = /^(?:[^<>]*<|mailto:)([^<>\s]+?)>?$/i;

const bareEmail = ({ email = '' }: CsvLine['fields']): string => {
  const text = withoutGuard(email.trim()).normalize('NFC');
  return BARE.exec(text)?.[1] ?? text;
};

/** Empty where it is missing, null where it is no address. */
const readEmail = (fields: CsvLine['fields']): string | null => {
  const bare = bareEmail(fields);
  return bare === '' || isEmail(bare) ? bare : null;
};

type Leaving = {
  /** Null where none can be read. */
  readonly email: string | null;
  /** The line says so in words that are understood, `perhaps` in others, or it is `hidden`: nobody can tell its fields apart. */
  readonly says: 'left' | 'perhaps' | 'hidden';
};

/** Whether a line says that its reader left, be the line refused or not; null of one that does not. */
export const readLeaving = (line: CsvLine): Leaving | null => {
  const { fields, isDoubtful, unclearBy, fault } = line;
  const email = readEmail(fields) || null;
  const answer = readSubscribed(fields);
  if (fields.deleted_at || (answer === false && !isDoubtful)) return { email, says: 'left' };
  if (answer === null || answer === false || unclearBy !== null) return { email, says: 'perhaps' };
  return fault === null ? null : { email, says: 'hidden' };
};

/** A signup to come says nothing of when the reader signed up. */
const past = (time: string | null, nowMs: number): string | null =>
  time !== null && Date.parse(time) > nowMs ? null : time;

/** As in Ghost: nobody gets a paid tier for nothing. */
const findPlanProblem = (
  fields: CsvLine['fields'],
  tiers: readonly string[] | undefined,
): Problem | null => {
  const isComplimentary = readAnswer(fields.complimentary_plan) === true;
  const isGift = Boolean(textOf(fields.gift_id));
  if (isGift && isComplimentary) {
    return { field: 'gift_id', reason: 'stands beside a complimentary plan' };
  }
  const customer = readCustomer(fields.stripe_customer_id);
  if (customer === undefined) {
    return { field: 'stripe_customer_id', reason: 'is no customer of Stripe, such as cus_ABC123' };
  }
  const isPaid = isComplimentary || isGift || customer !== null;
  return tiers?.length && !isPaid ? { field: 'tiers', reason: TIER_OF_NONE } : null;
};

const TIER_OF_NONE =
  'names a tier without a complimentary plan, a customer or a gift (set complimentary_plan to true, or leave tiers empty)';

const findCellProblem = (
  fields: CsvLine['fields'],
  { name, note, labels }: Pick<MemberLine, 'name' | 'note' | 'labels'>,
): Problem | null => {
  const unstorable = Object.entries(fields).find(([, cell]) => UNSTORABLE.test(cell));
  if (unstorable !== undefined) {
    return { field: unstorable[0], reason: 'holds a character that cannot be stored' };
  }
  const neither = 'is neither true nor false';
  if (readSubscribed(fields) === null) return { field: 'subscribed_to_emails', reason: neither };
  if (readAnswer(fields.complimentary_plan) === null) {
    return { field: 'complimentary_plan', reason: neither };
  }
  if ((name?.length ?? 0) > NAME_CHARACTERS_MAX) return tooLong('name', NAME_CHARACTERS_MAX);
  if ((note?.length ?? 0) > NOTE_CHARACTERS_MAX) return tooLong('note', NOTE_CHARACTERS_MAX);
  const isLong = labels?.some((label) => label.length > NAME_CHARACTERS_MAX) === true;
  return isLong ? tooLong('labels', NAME_CHARACTERS_MAX) : null;
};

/** Ghost asks its payment processor where the file says "auto"; a spreadsheet that found nothing writes `#N/A`. */
const NO_CUSTOMER = /^(?:auto|#n\/a|nan|[\u2013\u2014])$/i;

/** Null where it says that there is none, undefined where it is no id. */
const readCustomer = (cell: string | undefined): string | null | undefined => {
  const id = textOf(cell)?.trim() ?? '';
  if (NO_CUSTOMER.test(id) || isNothing(id)) return null;
  return /^cus_\w+$/.test(id) ? id : undefined;
};

const tooLong = (field: string, max: number): Problem => ({
  field,
  reason: `is longer than ${max} characters`,
});

const textOf = (cell: string | undefined): string | null | undefined => {
  if (cell === undefined) return undefined;
  const text = withoutGuard(cell);
  const word = text.trim();
  return word === '' || word === 'undefined' ? null : text;
};

/** Names, joined by commas. Some programs quote each, which keeps its commas, and some write a list of JSON or Python. */
export const listOf = (cell: string | undefined): string[] | undefined => {
  if (cell === undefined) return undefined;
  const text = withoutGuard(cell).trim();
  return [...new Set(namesIn(text).filter((name) => name !== ''))];
};

const namesIn = (text: string): string[] => {
  if (text === '[]') return [];
  if (text.startsWith("['") && text.endsWith("']")) return text.slice(2, -2).split(/', ?'/);
  return partsOf(text.startsWith('["') && text.endsWith('"]') ? text.slice(1, -1) : text);
};

const partsOf = (list: string): string[] => {
  const names: string[] = [];
  let quotes = 0;
  let pieces: string[] = [];
  for (const piece of list.split(',')) {
    pieces.push(piece);
    quotes += piece.split('"').length - 1;
    if (pieces[0]?.trimStart().startsWith('"') && quotes % 2 === 1) continue;
    names.push(unquoted(pieces.join(',').trim()));
    quotes = 0;
    pieces = [];
  }
  return [...names, ...pieces.map((piece) => piece.trim())];
};

const unquoted = (name: string): string =>
  name.length > 1 && name.startsWith('"') && name.endsWith('"')
    ? name.slice(1, -1).replaceAll('""', '"')
    : name;

/** Undefined of an empty cell, which says nothing; null of a word that is neither yes nor no. */
const readAnswer = (cell = ''): boolean | undefined | null =>
  cell.trim() === '' ? undefined : readYesNo(cell);

const readSubscribed = ({ subscribed_to_emails: cell }: CsvLine['fields']) => readAnswer(cell);

/** What the columns tell together; undefined where they leave it open. */
const statusOf = (
  { complimentary_plan, gift_id }: CsvLine['fields'],
  tiers: readonly string[] | undefined,
): MemberStatus | undefined => {
  if (readAnswer(complimentary_plan) === true) return 'comped';
  if (textOf(gift_id)) return 'gift';
  if (tiers === undefined) return complimentary_plan === undefined ? undefined : 'free';
  return tiers.length === 0 ? 'free' : 'paid';
};
