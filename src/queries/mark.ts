// Evaluates a condition over a range of positions: one byte for each record, 1 where it holds. Works on columns alone;
// no record is read. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import {
  type Columns,
  foldedColumn,
  type NamesColumns,
  type Range,
  type Segment,
} from './columns.ts';
import type { Condition, TextColumn, TimeColumn } from './condition.ts';
import { codeOf, type Facets, type Links } from './decode-columns.ts';
import type { Operator } from './filter.ts';
import type { TermsName } from './resource.ts';
import { passesTest, type TextTest } from './text-test.ts';

/** A condition whose keys and terms were looked up. */
export type Mark =
  | { readonly kind: 'all'; readonly parts: readonly Mark[] }
  | { readonly kind: 'any'; readonly parts: readonly Mark[] }
  | { readonly kind: 'not'; readonly part: Mark }
  | { readonly kind: 'positions'; readonly positions: readonly number[] }
  /** Some link is to one of these ids; `ids` null: there is a link. */
  | {
      readonly kind: 'links';
      readonly family: TermsName;
      readonly isPrimary: boolean;
      readonly ids: readonly Uint8Array[] | null;
    }
  | Extract<Condition, { readonly kind: 'constant' | 'flags' | 'time' | 'text' }>;

export const evaluate = (mark: Mark, columns: Columns, range: Range): Uint8Array => {
  if (mark.kind === 'all' || mark.kind === 'any') return combine(mark, columns, range);
  if (mark.kind === 'not') return invert(evaluate(mark.part, columns, range));
  const mask = new Uint8Array(range.to - range.from);
  if (mark.kind === 'constant') return mark.isTrue ? mask.fill(1) : mask;
  if (mark.kind === 'positions') return markPositions(mark.positions, mask, range.from);
  if (mark.kind === 'flags') {
    overlap(columns.facets, range, (part) => markFlags(mark, part, mask));
  } else if (mark.kind === 'links') {
    overlap(columns.facets, range, (part) => markLinks(mark, part, mask));
  } else if (mark.kind === 'text') {
    overlap(columns.names, range, (part) => markTexts(mark, part, mask));
  } else if (mark.column === 'updated') {
    overlap(columns.updated, range, (part) => markTimes(mark, part, mask));
  } else {
    const column = mark.column;
    overlap(columns.times, range, (part) => {
      markTimes(mark, { value: part.value[column], at: part.at, end: part.end, to: part.to }, mask);
    });
  }
  return mask;
};

/** Records of a segment from `at` on, before `end`; the first of them is marked at `to`. */
type Part<T> = {
  readonly value: T;
  readonly at: number;
  readonly end: number;
  readonly to: number;
};

const overlap = <T>(
  segments: readonly Segment<T>[],
  range: Range,
  work: (part: Part<T>) => void,
): void => {
  segments.forEach((segment) => {
    const from = Math.max(segment.from, range.from);
    const to = Math.min(segment.to, range.to);
    if (from >= to) return;
    work({
      value: segment.value,
      at: from - segment.from,
      end: to - segment.from,
      to: from - range.from,
    });
  });
};

const combine = (
  mark: Extract<Mark, { readonly kind: 'all' | 'any' }>,
  columns: Columns,
  range: Range,
): Uint8Array => {
  const mask = evaluate(mark.parts[0] as Mark, columns, range);
  for (let at = 1; at < mark.parts.length; at += 1) {
    const part = evaluate(mark.parts[at] as Mark, columns, range);
    if (mark.kind === 'all') {
      for (let r = 0; r < mask.length; r += 1) mask[r] = (mask[r] as number) & (part[r] as number);
    } else {
      for (let r = 0; r < mask.length; r += 1) mask[r] = (mask[r] as number) | (part[r] as number);
    }
  }
  return mask;
};

const invert = (mask: Uint8Array): Uint8Array => {
  for (let at = 0; at < mask.length; at += 1) mask[at] = (mask[at] as number) ^ 1;
  return mask;
};

const markPositions = (
  positions: readonly number[],
  mask: Uint8Array,
  from: number,
): Uint8Array => {
  positions.forEach((position) => {
    if (position >= from && position - from < mask.length) mask[position - from] = 1;
  });
  return mask;
};

const markFlags = (
  mark: Extract<Mark, { readonly kind: 'flags' }>,
  part: Part<Facets>,
  mask: Uint8Array,
): void => {
  const flags = part.value.flags;
  const shift = part.to - part.at;
  mark.wanted.forEach((wanted) => {
    for (let at = part.at; at < part.end; at += 1) {
      if (((flags[at] as number) & mark.mask) === wanted) mask[at + shift] = 1;
    }
  });
};

const markLinks = (
  mark: Extract<Mark, { readonly kind: 'links' }>,
  part: Part<Facets>,
  mask: Uint8Array,
): void => {
  const links: Links = part.value[mark.family];
  const starts = links.starts;
  const codes = links.codes;
  const shift = part.to - part.at;
  const isWanted = mark.ids === null ? null : wantedCodes(links.ids, mark.ids);
  for (let at = part.at; at < part.end; at += 1) {
    const first = starts[at] as number;
    const all = starts[at + 1] as number;
    const end = mark.isPrimary && all > first ? first + 1 : all;
    for (let link = first; link < end; link += 1) {
      if (isWanted === null || isWanted[codes[link] as number] === 1) {
        mask[at + shift] = 1;
        break;
      }
    }
  }
};

const wantedCodes = (dictionary: Uint8Array, ids: readonly Uint8Array[]): Uint8Array => {
  const isWanted = new Uint8Array(dictionary.length / 12);
  ids.forEach((id) => {
    const code = codeOf(dictionary, id);
    if (code !== -1) isWanted[code] = 1;
  });
  return isWanted;
};

const markTimes = (
  mark: { readonly operator: Operator; readonly times: readonly number[] },
  part: Part<Float64Array>,
  mask: Uint8Array,
): void => {
  const shift = part.to - part.at;
  mark.times.forEach((ms) => {
    for (let at = part.at; at < part.end; at += 1) {
      if (holds(mark.operator, part.value[at] as number, ms)) mask[at + shift] = 1;
    }
  });
};

const holds = (operator: Operator, value: number, ms: number): boolean => {
  if (operator === '=') return value === ms;
  if (operator === '>') return value > ms;
  if (operator === '>=') return value >= ms;
  if (operator === '<') return value < ms;
  return operator === '<=' ? value <= ms : value !== ms;
};

const markTexts = (
  mark: { readonly column: TextColumn; readonly test: TextTest },
  part: Part<NamesColumns>,
  mask: Uint8Array,
): void => {
  const test = mark.test;
  const column = mark.column as 'id' | 'uuid' | 'slug' | 'title';
  const isFolded = test.kind === 'match' && (column === 'slug' || column === 'title');
  const texts = isFolded ? foldedColumn(part.value, column) : part.value[column];
  const shift = part.to - part.at;
  for (let at = part.at; at < part.end; at += 1) {
    if (passesTest(test, texts[at] as string)) mask[at + shift] = 1;
  }
};

/** About how many comparisons a mark makes of one record. */
export const comparisonsOf = (mark: Mark): number => {
  if (mark.kind === 'all' || mark.kind === 'any') {
    return mark.parts.reduce((sum, part) => sum + comparisonsOf(part), 0);
  }
  if (mark.kind === 'not') return 1 + comparisonsOf(mark.part);
  if (mark.kind === 'time') return mark.times.length;
  return mark.kind === 'text' && mark.test.kind === 'in' ? mark.test.values.length : 1;
};

/** Which columns a mark is evaluated on. */
export const columnsOf = (mark: Mark, add: (name: keyof Columns) => void): void => {
  if (mark.kind === 'all' || mark.kind === 'any') {
    mark.parts.forEach((part) => {
      columnsOf(part, add);
    });
  } else if (mark.kind === 'not') columnsOf(mark.part, add);
  else if (mark.kind === 'flags' || mark.kind === 'links') add('facets');
  else if (mark.kind === 'text') add('names');
  else if (mark.kind === 'time') add(timeColumn(mark.column));
};

export const timeColumn = (column: TimeColumn): 'times' | 'updated' =>
  column === 'updated' ? 'updated' : 'times';
