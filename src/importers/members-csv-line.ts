// One line of a members CSV -> what it says of a member. Pure. Cells are read as Ghost's own import reads them; a cell
// that cannot be taken rejects the line.
import { isEmail } from '../contract/admin/email.ts';
import { withoutGuard } from './formula-guard.ts';
import { parseImportTime } from './import-time.ts';
import type { CsvLine } from './members-csv-file.ts';
import { type Problem, parseId } from './normalise-row.ts';

export type MemberStatus = 'free' | 'paid' | 'comped' | 'gift';

/** A column that the file lacks is undefined: it keeps its value. */
export type MemberLine = {
  readonly line: number;
  readonly email: string;
  readonly id: string | null;
  readonly name: string | null | undefined;
  readonly note: string | null | undefined;
  readonly createdAt: string | null | undefined;
  readonly isSubscribed: boolean | undefined;
  readonly labels: readonly string[] | undefined;
  /** Names. */
  readonly tiers: readonly string[] | undefined;
  readonly status: MemberStatus | undefined;
  readonly customerId: string | null;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const UNSTORABLE = /\u0000/;
const NAME_UNITS_MAX = 191;
const NOTE_UNITS_MAX = 2_000;

export const parseMemberLine = ({ line, fields }: CsvLine): MemberLine | Problem => {
  if (fields === null)
    return {
      field: 'line',
      reason:
        'has another number of fields than the first line, or a quotation mark that is not doubled',
    };
  const email = withoutGuard((fields.email ?? '').trim()).normalize('NFC');
  if (email === '') return { field: 'email', reason: 'is missing' };
  if (!isEmail(email)) return { field: 'email', reason: 'is not an e-mail address' };
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
  const problem = findCellProblem(fields, { name, note, labels });
  if (problem !== null) return problem;
  return {
    line,
    email,
    id: parseId(fields.id ?? null),
    name,
    note,
    createdAt: fields.created_at === undefined ? undefined : createdAt,
    isSubscribed: readAnswer(fields.subscribed_to_emails) ?? undefined,
    labels,
    tiers,
    status: statusOf(fields, tiers),
    customerId: customerIdOf(fields.stripe_customer_id),
  };
};

const findCellProblem = (
  fields: NonNullable<CsvLine['fields']>,
  { name, note, labels }: Pick<MemberLine, 'name' | 'note' | 'labels'>,
): Problem | null => {
  const unstorable = Object.entries(fields).find(([, cell]) => UNSTORABLE.test(cell));
  if (unstorable !== undefined) {
    return { field: unstorable[0], reason: 'holds a character that cannot be stored' };
  }
  const unclear = ANSWERS.find((column) => readAnswer(fields[column]) === null);
  if (unclear !== undefined) return { field: unclear, reason: 'is neither true nor false' };
  if ((name?.length ?? 0) > NAME_UNITS_MAX) return tooLong('name', NAME_UNITS_MAX);
  if ((note?.length ?? 0) > NOTE_UNITS_MAX) return tooLong('note', NOTE_UNITS_MAX);
  const isLong = labels?.some((label) => label.length > NAME_UNITS_MAX) === true;
  return isLong ? tooLong('labels', NAME_UNITS_MAX) : null;
};

/** Ghost asks its payment processor where the file says "auto". */
const customerIdOf = (cell: string | undefined): string | null => {
  const id = textOf(cell)?.trim() ?? null;
  return id?.toLowerCase() === 'auto' ? null : id;
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

/** Names, joined by commas; a name that holds one comes apart, as it does in Ghost. */
const listOf = (cell: string | undefined): string[] | undefined => {
  if (cell === undefined) return undefined;
  const names = withoutGuard(cell)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(names)];
};

const YES = new Set(['true', 'yes', 'y', '1', 'on']);
const NO = new Set(['false', 'no', 'n', '0', 'off']);

/** Undefined of an empty cell, which says nothing; null of a word that is neither yes nor no. */
const readAnswer = (cell: string | undefined): boolean | undefined | null => {
  const word = cell?.trim().toLowerCase() ?? '';
  if (word === '') return undefined;
  return YES.has(word) || (NO.has(word) ? false : null);
};

const ANSWERS = ['subscribed_to_emails', 'complimentary_plan'] as const;

/** What the columns tell together; undefined where they leave it open. */
const statusOf = (
  fields: NonNullable<CsvLine['fields']>,
  tiers: readonly string[] | undefined,
): MemberStatus | undefined => {
  const { complimentary_plan, gift_id, stripe_customer_id } = fields;
  if (readAnswer(complimentary_plan) === true) return 'comped';
  if (textOf(gift_id)) return 'gift';
  if (tiers === undefined) return undefined;
  if (tiers.length === 0) return 'free';
  return textOf(stripe_customer_id) ? 'paid' : 'comped';
};
