// A filter as the executor evaluates it: which fields a resource can be filtered by, with which operators and values
// (decisions, Queries). Whatever is not listed here is refused, on every host alike. Runtime-neutral, and written so
// that the oldest of the edge runtimes can run it.
import type { Filter, FilterValue, Operator } from './filter.ts';
import { createQueryProblem, type QueryProblem, shownName } from './query-problem.ts';
import { isTermsName, type ListResource, type TermsName } from './resource.ts';
import { foldText, type TextTest } from './text-test.ts';
import { parseTimeValue } from './time-value.ts';
import { FEATURED_BIT, NULLABLE, NULLABLE_SHIFT, VISIBILITIES, VISIBILITY_SHIFT } from './tree.ts';

export type TimeColumn = 'published' | 'created' | 'updated';
export type TextColumn = 'id' | 'uuid' | 'slug' | 'title' | 'name' | 'visibility';

export type Condition =
  | { readonly kind: 'all'; readonly parts: readonly Condition[] }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'constant'; readonly isTrue: boolean }
  /** Some of `wanted` is what the mask leaves of a record's flags. */
  | { readonly kind: 'flags'; readonly mask: number; readonly wanted: readonly number[] }
  /** The operator holds for some of the times. */
  | {
      readonly kind: 'time';
      readonly column: TimeColumn;
      readonly operator: Operator;
      readonly times: readonly number[];
    }
  /** Few records of a collection, which an index finds. */
  | { readonly kind: 'keys'; readonly column: 'id' | 'slug'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly column: TextColumn; readonly test: TextTest }
  /** Some tag or author (the primary one) passes; without a test: there is one. */
  | {
      readonly kind: 'terms';
      readonly family: TermsName;
      readonly isPrimary: boolean;
      readonly column: TextColumn;
      readonly test: TextTest | null;
    };

type FieldFilter = Extract<Filter, { readonly field: string }>;
type Compile = (filter: FieldFilter) => Condition | null;

/** Throws a 400 QueryProblem for a field, operator or value that the resource's lists cannot be filtered by. */
export const compileFilter = (resource: ListResource, filter: Filter): Condition => {
  const fields = isTermsName(resource) ? TERM_FIELDS : RECORD_FIELDS;
  const compile = (part: Filter): Condition => {
    if (part.kind === 'not') return not(compile(part.part));
    if (part.kind === 'all' || part.kind === 'any') {
      return { kind: part.kind, parts: part.parts.map(compile) };
    }
    const field = fields[part.field];
    if (field === undefined)
      throw refusal(resource, `${shownName(part.field)} is no field of filters`);
    const isNot = part.kind === 'compare' && part.operator === '!=';
    const condition = field(isNot ? Object.assign({}, part, { operator: '=' as const }) : part);
    if (condition !== null) return isNot ? not(condition) : condition;
    throw refusal(resource, `filter compares ${shownName(part.field)} in a way that it cannot`);
  };
  return compile(filter);
};

const refusal = (resource: ListResource, reason: string): QueryProblem =>
  createQueryProblem({
    status: 400,
    action: `list ${resource}`,
    reason,
    property: 'filter',
    context: 'Could not understand request.',
  });

/** What is always true, a clause on the status, is so whatever it compares with. */
const not = (part: Condition): Condition =>
  part.kind === 'constant' && part.isTrue ? part : { kind: 'not', part };
const NEVER: Condition = { kind: 'constant', isTrue: false };

/** What is asked for by `=` or a list; null for other operators. */
const valuesOf = (filter: FieldFilter): readonly FilterValue[] | null => {
  if (filter.kind === 'in') return filter.values;
  return filter.kind === 'compare' && filter.operator === '=' ? [filter.value] : null;
};

const isNotNull = (value: FilterValue): boolean => value !== null;

/** Null where texts are not looked into, and are. */
const testOf = (filter: FieldFilter, isSearched: boolean): TextTest | null => {
  if (filter.kind === 'text') {
    const match = { kind: 'match' as const, match: filter.match, text: foldText(filter.text) };
    return isSearched ? match : null;
  }
  const values = valuesOf(filter);
  if (values !== null) return { kind: 'in', values: values.filter(isNotNull).map(String) };
  if (filter.kind !== 'compare' || filter.value === null) return { kind: 'in', values: [] };
  const operator = filter.operator as '>' | '>=' | '<' | '<=';
  return { kind: 'compare', operator, value: String(filter.value) };
};

const text = (column: TextColumn, isSearched: boolean): Compile => {
  return (filter) => {
    const test = testOf(filter, isSearched);
    return test === null ? null : { kind: 'text', column, test };
  };
};

/** More of them are looked for in the column. */
const KEYS_MAX = 20;

const key = (column: 'id' | 'slug', isSearched: boolean): Compile => {
  return (filter) => {
    const test = testOf(filter, isSearched);
    if (test === null) return null;
    if (test.kind !== 'in' || test.values.length > KEYS_MAX) return { kind: 'text', column, test };
    return { kind: 'keys', column, values: test.values };
  };
};

const featured: Compile = (filter) => {
  const values = valuesOf(filter);
  if (values === null) return null;
  const wanted: number[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as FilterValue;
    if (typeof value === 'string') return null;
    if (value === true || value === 1) wanted.push(FEATURED_BIT);
    if (value === false || value === 0) wanted.push(0);
  }
  return { kind: 'flags', mask: FEATURED_BIT, wanted };
};

const visibility: Compile = (filter) => {
  const values = valuesOf(filter);
  if (values === null) return null;
  const wanted: number[] = [];
  VISIBILITIES.forEach((name, code) => {
    if (values.indexOf(name) !== -1) wanted.push(code << VISIBILITY_SHIFT);
  });
  return { kind: 'flags', mask: 3 << VISIBILITY_SHIFT, wanted };
};

const time = (column: TimeColumn): Compile => {
  return (filter) => {
    if (filter.kind === 'text') return null;
    const values = (filter.kind === 'in' ? filter.values : [filter.value]).filter(isNotNull);
    if (values.length === 0) return NEVER;
    const times = values.map((value) => parseTimeValue(String(value)));
    if (times.some((ms) => Number.isNaN(ms))) return null;
    return { kind: 'time', column, operator: filter.kind === 'in' ? '=' : filter.operator, times };
  };
};

const nullable = (bit: number): Compile => {
  return (filter) => {
    const isNull = filter.kind === 'compare' && filter.operator === '=' && filter.value === null;
    return isNull ? { kind: 'flags', mask: 1 << bit, wanted: [0] } : null;
  };
};

type TermField = {
  readonly family: TermsName;
  readonly isPrimary: boolean;
  readonly column: TextColumn;
};

const terms = (field: TermField): Compile => {
  const family = field.family;
  const isPrimary = field.isPrimary;
  const column = field.column;
  return (filter) => {
    const test = testOf(filter, column === 'slug' || column === 'name');
    if (test === null) return null;
    const found: Condition = { kind: 'terms', family, isPrimary, column, test };
    const values = valuesOf(filter);
    if (values === null || values.indexOf(null) === -1) return found;
    const none = not({ kind: 'terms', family, isPrimary, column, test: null });
    return values.length === 1 ? none : { kind: 'any', parts: [none, found] };
  };
};

const always: Compile = () => ({ kind: 'constant', isTrue: true });

type Fields = Readonly<Record<string, Compile>>;

const withTerms = (fields: Record<string, Compile>): Fields => {
  const add = (names: readonly string[], columns: readonly TextColumn[]): void => {
    names.forEach((name) => {
      const family = name.indexOf('tag') === -1 ? 'authors' : 'tags';
      const isPrimary = name.indexOf('primary_') === 0;
      fields[name] = terms({ family, isPrimary, column: 'slug' });
      columns.forEach((column) => {
        fields[`${name}.${column}`] = terms({ family, isPrimary, column });
      });
    });
  };
  add(['tag', 'tags'], ['slug', 'id', 'visibility', 'name']);
  add(['author', 'authors'], ['slug', 'id', 'name']);
  add(['primary_tag', 'primary_author'], ['slug']);
  return fields;
};

/** Without a prototype, so that only what stands in them is a field. */
const fieldsOf = (some: Fields, others: Fields): Record<string, Compile> =>
  Object.assign(Object.create(null), some, others);

const NULLABLE_FIELDS: Record<string, Compile> = {};
NULLABLE.forEach((column, at) => {
  NULLABLE_FIELDS[column] = nullable(NULLABLE_SHIFT + at);
});

const RECORD_FIELDS = withTerms(
  fieldsOf(NULLABLE_FIELDS, {
    id: key('id', false),
    uuid: text('uuid', false),
    slug: key('slug', true),
    title: text('title', true),
    featured,
    visibility,
    published_at: time('published'),
    created_at: time('created'),
    updated_at: time('updated'),
    status: always,
  }),
);

const TERM_FIELDS: Fields = fieldsOf(
  {},
  {
    id: text('id', false),
    slug: text('slug', true),
    name: text('name', true),
    visibility: text('visibility', false),
  },
);
