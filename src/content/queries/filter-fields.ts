// The fields that lists can be filtered by, with which operators and values (decisions, Queries): a filter becomes a
// condition. Whatever is not listed here is refused, on every host alike. Runtime-neutral, and written so that the oldest
// of the edge runtimes can run it.

import { createReader, type Range } from '../tree/columns.ts';
import {
  FEATURED_BIT,
  NULLABLE,
  NULLABLE_SHIFT,
  type TermKeys,
  VISIBILITIES,
  VISIBILITY_SHIFT,
} from '../tree/tree.ts';
import { ALWAYS, type Condition, findAll, NEVER, not } from './condition.ts';
import type { Filter } from './filter.ts';
import { createQueryProblem, shownName } from './query-problem.ts';
import { isTermsName, type ListResource } from './resource.ts';
import type { Source } from './source.ts';
import { terms } from './term-fields.ts';
import {
  compares,
  comparisonOf,
  type Field,
  isText,
  type TextColumn,
  testOf,
} from './text-match.ts';
import { parseTimeValue } from './time-value.ts';

/** Throws a 400 QueryProblem for a field, operator or value that the resource's lists cannot be filtered by. */
export const compileFilter = (resource: ListResource, filter: Filter): Condition => {
  const isTerms = isTermsName(resource);
  const fields = isTerms ? TERM_FIELDS : RECORD_FIELDS;
  const compile = (part: Filter): Condition | null => {
    if (part.kind === 'not') return notIfAny(compile(part.part));
    if (part.kind === 'all' || part.kind === 'any') {
      return groupOf(part.kind, part.parts.map(compile));
    }
    if (HIDDEN.test(isTerms ? `${resource}.${part.field}` : part.field)) return null;
    const field = fields[part.field];
    const asked = comparisonOf(part);
    const condition = field?.(asked);
    const isNot = part.kind === 'compare' && part.operator === '!=';
    if (condition) return isNot ? not(condition) : condition;
    const name = shownName(part.field);
    const advice = /_at$/.test(part.field) ? ', but with 2024-05-31' : '';
    throw createQueryProblem({
      action: `list ${resource}`,
      property: 'filter',
      reason: field
        ? `filter: ${name} cannot be compared with ${shownName(asked.values.join())}${advice}`
        : `filter has no field ${name}`,
      context: 'Could not understand request.',
    });
  };
  return compile(filter) || ALWAYS;
};

/** A function of its own: njs does not hold what a block declares in one that calls itself. */
const groupOf = (kind: 'all' | 'any', compiled: (Condition | null)[]): Condition | null => {
  const parts = compiled.filter((part) => part !== null);
  return parts.length === 0 ? null : { kind, parts };
};

const notIfAny = (part: Condition | null): Condition | null => part && not(part);

/** Columns of tags that no answer shows: a clause on one of them counts for nothing, as in Ghost. */
const HIDDEN = /^(primary_tag|tags?)\.((crea|upda)ted_at|parent(_id)?)$/i;

const text = (column: TextColumn, isSearched: boolean): Field => {
  return (asked) => {
    const test = testOf(asked, column, isSearched);
    return (
      test && {
        open: (source, range) =>
          source.texts(range).then((segments) => createReader(segments, test)),
      }
    );
  };
};

/** More of them are looked for in the column. */
const KEYS_MAX = 20;

const key = (column: 'id' | 'slug'): Field => {
  const isSlug = column === 'slug';
  return (asked) => {
    const found = text(column, isSlug)(asked);
    if (asked.operator !== '=' || !found) return found;
    const values = asked.values.map(String);
    const listed = isSlug ? values : [];
    if (values.length > KEYS_MAX) return Object.assign({ listed }, found);
    const find = (source: Source): Promise<number[]> => findAll(source, column, values);
    return {
      listed,
      narrow: (source) =>
        find(source).then((positions) => ({
          from: Math.min.apply(null, positions),
          to: Math.max.apply(null, positions) + 1,
        })),
      open: (source) =>
        find(source).then((positions) => (position) => positions.indexOf(position) >= 0),
    };
  };
};

/** Some of `wanted` is what the mask leaves of a record's flags. */
const flags = (mask: number, wanted: readonly number[]): Condition => ({
  open: (source, range) =>
    source.facets(range).then((segments) =>
      createReader(segments, (facets) => (at) => {
        const masked = (facets.flags[at] as number) & mask;
        return wanted.indexOf(masked) >= 0;
      }),
    ),
});

const featured: Field = (asked) =>
  asked.operator !== '=' || asked.values.some((value) => typeof value === 'string')
    ? null
    : flags(FEATURED_BIT, asked.values.map(Number));

const visibility: Field = (asked) => {
  const codes = asked.values.map((value) => VISIBILITIES.indexOf(value as 'public'));
  const wanted = codes.map((code) => code << VISIBILITY_SHIFT);
  return asked.operator === '=' ? flags(3 << VISIBILITY_SHIFT, wanted) : null;
};

const nullable = (bit: number): Field => {
  return (asked) =>
    asked.operator === '=' && asked.hasNull && asked.values.length === 0
      ? flags(1 << bit, [0])
      : null;
};

/** Newer records come first, so lower bounds of times are upper bounds of positions. */
const findBounds = (source: Source, operator: string, ms: number): Promise<Range> => {
  const isEqual = operator.indexOf('=') >= 0;
  const sign = operator.charAt(0);
  return Promise.all([
    sign === '>' ? 0 : source.countNewer(ms, !isEqual),
    sign === '<' ? source.total : source.countNewer(ms, isEqual),
  ]).then((counts) => ({ from: counts[0], to: counts[1] }));
};

const time = (field: 'published_at' | 'created_at' | 'updated_at'): Field => {
  return (asked) => {
    const operator = asked.operator;
    const times = asked.values.map((value) => parseTimeValue(String(value)));
    const first = times[0];
    if (isText(asked) || times.some(Number.isNaN)) return null;
    if (first === undefined) return NEVER;
    const narrow = (source: Source): Promise<Range> => findBounds(source, operator, first);
    return field === 'published_at' && times.length === 1
      ? {
          narrow,
          isRange: true,
          open: (source) =>
            narrow(source).then(
              (range) => (position) => position >= range.from && position < range.to,
            ),
        }
      : {
          open: (source, range) =>
            source
              .numbers(field, range)
              .then(
                (read) => (position) => times.some((ms) => compares(operator, read(position), ms)),
              ),
        };
  };
};

/** Without a prototype, so that only what stands in them is a field. */
const fieldsOf = (fields: Record<string, Field>): Record<string, Field> =>
  Object.assign(Object.create(null), fields);

const TERM_FIELDS = fieldsOf({
  id: key('id'),
  slug: key('slug'),
  name: text('name', true),
  visibility: text('visibility', false),
});

const RECORD_FIELDS = fieldsOf({
  id: key('id'),
  uuid: text('uuid', false),
  slug: key('slug'),
  title: text('title', true),
  featured,
  visibility,
  published_at: time('published_at'),
  created_at: time('created_at'),
  updated_at: time('updated_at'),
  status: () => ALWAYS,
});

NULLABLE.forEach((column, at) => {
  RECORD_FIELDS[column] = nullable(NULLABLE_SHIFT + at);
});

const TERM_COLUMNS: readonly (keyof TermKeys)[] = ['slug', 'id', 'name', 'visibility'];

['tag', 'tags', 'author', 'authors', 'primary_tag', 'primary_author'].forEach((name) => {
  const family = name.indexOf('tag') < 0 ? 'authors' : 'tags';
  const isPrimary = name.charAt(0) === 'p';
  // The visibility of authors is no field; of primary ones only the slug is.
  TERM_COLUMNS.slice(0, isPrimary ? 1 : family === 'tags' ? 4 : 3).forEach((column) => {
    const field = terms({ family, isPrimary, column });
    RECORD_FIELDS[`${name}.${column}`] = field;
    if (column === 'slug') RECORD_FIELDS[name] = field;
  });
});
