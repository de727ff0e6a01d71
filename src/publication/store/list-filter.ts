// Filters of admin lists as conditions of SQL. Only the fields that a list names are reachable; values go
// in as parameters, never as text.
import { type RawBuilder, sql } from 'kysely';
import { PrepressError } from '../../base/errors.ts';
import { findNearestName } from '../../base/text/nearest-name.ts';
import { parseStoredTime, toStoredTime } from '../../base/time.ts';
import type { Filter, FilterValue, TextMatch } from '../../content/queries/filter.ts';
import { shownName } from '../../content/queries/query-problem.ts';

type Condition = RawBuilder<boolean>;
/** `word`: a text that is stored in small letters, such as a slug; in a filter it may be written otherwise. */
type ValueKind = 'text' | 'word' | 'flag' | 'number' | 'time';

export type FilterField = {
  /** The value compared; of a relation, a column of the rows that `exists` looks through. */
  readonly value: RawBuilder<unknown>;
  readonly kind: ValueKind;
  /** Relations: true when a linked row meets the condition. */
  readonly exists?: (condition: Condition) => Condition;
  /** The same from the other side, for counts: reads the linked rows first, of which there may be few. */
  readonly among?: (condition: Condition) => Condition;
  /** Relations: null asks for a linked row without the value; otherwise it asks that no linked row has one. */
  readonly hasNulls?: boolean;
};

export type FilterUse = {
  /** A page takes rows in their order until it is full; a count reads all. */
  readonly for: 'page' | 'count';
  /** Of linked rows, too: true until the time of the list is over. */
  readonly isInTime: Condition;
};

export type FilterFields = Readonly<Record<string, FilterField>>;

/** Throws BAD_REQUEST for a field that is not of the list, or a value that it cannot have. */
export const filterCondition = (
  filter: Filter,
  fields: FilterFields,
  use: FilterUse,
): Condition => {
  if ('parts' in filter) {
    const parts = filter.parts.map((part) => filterCondition(part, fields, use));
    return sql<boolean>`(${sql.join(parts, filter.kind === 'all' ? sql` AND ` : sql` OR `)})`;
  }
  if (filter.kind === 'not') {
    // The language negates single conditions alone.
    return 'field' in filter.part
      ? notCondition(filter.part, fieldOf(filter.part, fields), use)
      : not(filterCondition(filter.part, fields, use));
  }
  const field = fieldOf(filter, fields);
  return filter.kind === 'compare' && filter.operator === '!='
    ? notCondition({ ...filter, operator: '=' }, field, use)
    : fieldCondition(filter, field, use);
};

type FieldFilter = Extract<Filter, { readonly field: string }>;

/** The single conditions that it is made of. */
export const conditionsOf = (filter: Filter): readonly FieldFilter[] => {
  if (filter.kind === 'not') return conditionsOf(filter.part);
  return 'parts' in filter ? filter.parts.flatMap(conditionsOf) : [filter];
};

const fieldOf = ({ field: name }: FieldFilter, fields: FilterFields): FilterField => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined) return field;
  const near = findNearestName(name, Object.keys(fields));
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  throw refusal(`filter has no field ${shownName(name)}.${meant}`);
};

const not = (condition: Condition): Condition => sql<boolean>`(NOT ${condition})`;

/** A value that is null is neither like a text nor unlike it; not some text of a relation: a linked row lacks it. */
const notCondition = (filter: FieldFilter, field: FilterField, use: FilterUse): Condition =>
  filter.kind === 'text'
    ? throughLinks(not(valueCondition(filter, field)), field, use)
    : not(fieldCondition(filter, field, use));

const fieldCondition = (filter: FieldFilter, field: FilterField, use: FilterUse): Condition => {
  const isNull = filter.kind === 'compare' && filter.operator === '=' && filter.value === null;
  return isNull && !field.hasNulls
    ? not(throughLinks(sql<boolean>`${field.value} IS NOT NULL`, field, use))
    : throughLinks(valueCondition(filter, field), field, use);
};

const throughLinks = (condition: Condition, field: FilterField, use: FilterUse): Condition => {
  const through = use.for === 'count' ? (field.among ?? field.exists) : field.exists;
  return through === undefined
    ? condition
    : through(sql<boolean>`${use.isInTime} AND ${condition}`);
};

const valueCondition = (filter: FieldFilter, { value, kind }: FilterField): Condition => {
  switch (filter.kind) {
    case 'text':
      return isLike(value, filter.match, filter.text);
    case 'in': {
      const wanted = filter.values.map((one) => toColumn(one, kind, filter.field));
      return sql<boolean>`(${value} IN (${sql.join(wanted)}))`;
    }
    case 'compare': {
      const wanted = toColumn(filter.value, kind, filter.field);
      if (wanted === null && filter.operator === '=') return sql<boolean>`(${value} IS NULL)`;
      return sql<boolean>`(${value} ${sql.raw(filter.operator)} ${wanted})`;
    }
  }
};

/** The text in any case. SQLite's LIKE knows that of A to Z alone, so other letters stand in GLOB in each of their cases. */
export const isLike = (value: RawBuilder<unknown>, match: TextMatch, text: string): Condition => {
  const around = (pattern: string, any: string): string =>
    `${match === 'starts' ? '' : any}${pattern}${match === 'ends' ? '' : any}`;
  if (!OTHER_LETTER.test(text) || text.length > GLOB_CHARACTERS_MAX) {
    const pattern = around(text.replace(/[\\%_]/g, '\\$&'), '%');
    return sql<boolean>`(${value} LIKE ${pattern} ESCAPE '\\')`;
  }
  return sql<boolean>`(${value} GLOB ${around([...text].map(inEachCase).join(''), '*')})`;
};

const OTHER_LETTER = /(?![a-z])\p{L}/iu;
/** SQLite takes patterns of 50,000 bytes. */
const GLOB_CHARACTERS_MAX = 2_000;

const inEachCase = (character: string): string => {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  const single = cases.filter((one) => [...one].length === 1);
  const all = [...new Set([character, ...single])].join('');
  return all.length > character.length || /[*?[]/.test(character) ? `[${all}]` : character;
};

/** Throws BAD_REQUEST. */
const toColumn = (value: FilterValue, kind: ValueKind, field: string): string | number | null => {
  if (value === null) return null;
  if (kind === 'text') return String(value);
  if (kind === 'word') return String(value).toLowerCase();
  const found = kind === 'time' ? findTime(value) : Number(value);
  if (typeof found === 'string' || Number.isFinite(found)) return found;
  const [name, got] = [field, String(value)].map(shownName);
  throw refusal(`filter takes only ${TAKEN[kind]} for ${name}, got ${got}.`);
};

const refusal = (sentence: string): PrepressError =>
  new PrepressError('BAD_REQUEST', sentence, { property: 'filter' });

const TAKEN: Readonly<Record<Exclude<ValueKind, 'text' | 'word'>, string>> = {
  flag: 'true or false',
  number: 'numbers',
  time: 'times such as 2026-01-31',
};

const findTime = (value: string | number | boolean): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  const ms =
    typeof text === 'string'
      ? parseStoredTime(/^\d{4}$/.test(text) ? `${text}-01-01` : text)
      : null;
  return ms === null || Math.abs(ms) > 8.64e15 ? null : toStoredTime(ms);
};

/** A stored time in one form, whatever form it is kept in, so that text compares as time does. */
export const timeText = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN ${column} GLOB '*-*' THEN strftime('%Y-%m-%dT%H:%M:%fZ', ${column})
    ELSE strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') END`;
