// One row of a Ghost table -> one row of ours: columns renamed, values in the types of our columns, times
// in UTC. Pure. A value that cannot be read keeps the row from being taken where it decides what the row is, or where
// documents show it; elsewhere it is left out. Both are named by column and reason.
import { isId } from '../../../base/ids.ts';
import { findTextFault } from '../../documents/html/text-limits.ts';
import type { RawRow } from '../../sources/source.ts';
import type { Column, Row, Value } from '../../store/import/import-rows.ts';
import { fieldOf, type TableFacts } from './ghost-tables.ts';
import { parseImportTime } from './import-time.ts';
import { isShownColumn, isShownRow } from './shown-columns.ts';

/** Why a row, or a value, is not taken; `field` is the column's name in the file. */
export type Problem = { readonly field: string; readonly reason: string };

type Normalised =
  | { readonly row: Row; readonly leftOut: readonly Problem[] }
  | { readonly problem: Problem };

/** A column that is left out keeps its value, or gets its default. */
export const normaliseRow = (
  facts: TableFacts,
  columns: readonly Column[],
  raw: RawRow,
): Normalised => {
  const row: Record<string, Value> = {};
  const leftOut: Problem[] = [];
  const problems: Problem[] = [];
  const isShown = isShownRow(facts, raw);
  for (const column of columns) {
    const field = fieldOf(facts, column.name);
    const value = readValue(facts, column, raw[field]);
    const reason = faultOf(column, value);
    if (reason === null) {
      if (value !== ABSENT) row[column.name] = value as Value;
    } else if (isVital(facts, column) && (isShown || !isTimeColumn(column.name))) {
      problems.push({ field, reason });
    } else leftOut.push({ field, reason });
  }
  const [first, ...others] = problems;
  if (first === undefined) return { row, leftOut };
  const reasons = others.map(({ field, reason }) => `, ${field} ${reason}`);
  return { problem: { field: first.field, reason: first.reason + reasons.join('') } };
};

const faultOf = ({ nullable, hasDefault }: Column, value: Read): string | null => {
  if (value === ABSENT) return nullable || hasDefault ? null : 'is missing';
  return typeof value === 'object' && value !== null ? value.reason : null;
};

/** Documents show it, or the row is nothing without it. A draft is something without its times. */
const isVital = (facts: TableFacts, { name, nullable }: Column): boolean =>
  name === 'id' || (!nullable && isIdColumn(facts, name)) || isShownColumn(facts, name);

/** Ghost gave its first user the id 1 before ids were made of 24 characters. */
export const parseId = (value: unknown): string | null => {
  if (value === 1 || value === '1') return FIRST_USER;
  return typeof value === 'string' && isId(value) ? value : null;
};

/** The owner, in every Ghost. */
export const FIRST_USER = '1'.padStart(24, '0');

/** How a source may write an id. */
export const spellingsOf = (id: string): string[] => (id === FIRST_USER ? [id, '1'] : [id]);

const ABSENT = Symbol('absent');
type Read = Value | typeof ABSENT | { readonly reason: string };

const readKind = (facts: TableFacts, column: Column, raw: unknown): Read => {
  if (isIdColumn(facts, column.name)) return readId(raw);
  if (column.kind === 'integer') return readInteger(raw);
  if (isTimeColumn(column.name)) return readTime(raw);
  const isJson = facts.json?.includes(column.name) === true;
  return readText(raw, { column: column.name, isJson });
};

const readValue = (facts: TableFacts, column: Column, raw: unknown): Read => {
  const value = readKind(facts, column, raw);
  if (value === null) return column.nullable ? null : ABSENT;
  if (value === '' && isKeyColumn(facts, column.name)) {
    return column.nullable ? null : { reason: 'is missing' };
  }
  if (isBlankName(column, value)) return { reason: 'is missing' };
  const allowed = facts.values?.[column.name];
  if (typeof value === 'string' && allowed !== undefined && !allowed.includes(value)) {
    return { reason: `is none of ${allowed.join(', ')}` };
  }
  return value;
};

const isIdColumn = (facts: TableFacts, name: string): boolean =>
  name === 'id' ||
  (facts.references ?? []).some(({ column, key }) => column === name && key === undefined);

const isKeyColumn = (facts: TableFacts, name: string): boolean =>
  (facts.unique ?? []).some((columns) => columns.includes(name));

/** Ghost refuses one where a name is required. */
const isBlankName = ({ name, nullable }: Column, value: Read): boolean =>
  name === 'name' && !nullable && typeof value === 'string' && value.trim() === '';

/** Times are the text columns that are named so: created_at, start_date, trial_end_at, last_seen. */
export const isTimeColumn = (name: string): boolean => /_(?:at|start|end|date|seen)$/.test(name);

const readId = (raw: unknown): Read => {
  if (raw === undefined) return ABSENT;
  if (raw === null || raw === '') return null;
  return parseId(raw) ?? { reason: 'is not an id of 24 hexadecimal characters' };
};

const readTime = (raw: unknown): Read => {
  if (raw === undefined) return ABSENT;
  const time = parseImportTime(raw);
  return time === undefined ? { reason: 'is not a time that can be read' } : time;
};

const readInteger = (raw: unknown): Read => {
  if (raw === undefined) return ABSENT;
  if (raw === null) return null;
  if (raw === true || raw === 'true') return 1;
  if (raw === false || raw === 'false') return 0;
  const number = typeof raw === 'string' && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw;
  return Number.isSafeInteger(number) ? (number as number) : { reason: 'is not a whole number' };
};

type TextColumn = { readonly column: string; readonly isJson: boolean };

const readText = (raw: unknown, { column, isJson }: TextColumn): Read => {
  if (raw === undefined) return ABSENT;
  if (raw === null) return null;
  if (typeof raw === 'number') return String(raw);
  if (typeof raw !== 'string' && (!isJson || raw instanceof Uint8Array))
    return { reason: 'is not a text' };
  const text = wellFormed(typeof raw === 'string' ? raw : JSON.stringify(raw));
  const reason = findTextFault(column, text);
  return reason === null ? text : { reason };
};

/** Half a surrogate pair cannot be stored as UTF-8, and U+0000 not in every database: it would differ from itself after storing. */
const wellFormed = (text: string): string =>
  text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', '');
