// Why a mapping of columns, which whoever imports a members CSV gives, cannot be meant.
import { findConsent } from './consent-columns.ts';
import { type Columns, isIgnored, type Mapping, READ } from './foreign-columns.ts';
import {
  findForeignColumn,
  findMembersColumn,
  MEMBERS_COLUMNS,
  plainName,
} from './members-columns.ts';

/** Why a mapping cannot be meant of a file with these columns; null of one that can. */
export const findMappingFault = (
  mapping: Mapping = {},
  written: readonly string[] = [],
): string | null => {
  const isMeant = (of: string): boolean => of === 'ignore' || !isIgnored(of);
  const isAbsent = (one: string, of: string): boolean =>
    one !== of && isMeant(of) && !written.includes(one);
  const [absent] = Object.entries(mapping).find(([one, of]) => isAbsent(one, of)) ?? [];
  if (absent !== undefined)
    return `The file has no column "${absent}": write the name as its first line has it.`;
  const [name, meaning] =
    Object.entries(mapping).find(([, one]) => {
      const plain = plainName(one);
      if (isIgnored(one) || READ.has(plain)) return false;
      const kind = findConsent(one) ?? 'unclear';
      return findMembersColumn(one) === null && (kind === 'unclear' || kind === 'when');
    }) ?? [];
  return name === undefined
    ? null
    : `The column "${name}" cannot be "${meaning}": name a column of Ghost's file (${MEMBERS_COLUMNS.join(', ')}), "unsubscribed", "status" or "ignore".`;
};

/** Two columns that get one meaning only by the mapping. */
export const findMappedTwice = (
  { fields, written }: Columns,
  mapping: Mapping = {},
): string | null => {
  const isMapped = (at: number): boolean => Object.hasOwn(mapping, written[at] ?? '');
  const firstOf = (at: number): number => fields.indexOf(fields[at] ?? null);
  const at = fields.findIndex(
    (column, at) =>
      column !== null && firstOf(at) !== at && (isMapped(at) || isMapped(firstOf(at))),
  );
  const [one, other] = [written[firstOf(at)], written[at]];
  return at === -1 || one === other ? null : bothBe([one, other], fields[at] ?? '');
};

/** A column that holds an address where the one called "email" holds something else, such as a permission. */
export const findOtherAddress = (
  { fields, names, written }: Columns,
  cells: readonly string[],
  mapping: Mapping = {},
): string | null => {
  const at = fields.indexOf('email');
  const isAddress = (at: number): boolean => cells[at]?.includes('@') === true;
  if (isAddress(at) || Object.hasOwn(mapping, written[at] ?? '')) return null;
  const other = names.findIndex((name, at) => findForeignColumn(name) === 'email' && isAddress(at));
  return other === -1 ? null : bothBe([written[at], written[other]], 'email');
};

const bothBe = ([one, other]: readonly (string | undefined)[], meaning: string): string =>
  `The columns "${one}" and "${other}" cannot both be "${meaning}": give one of them another meaning.`;
