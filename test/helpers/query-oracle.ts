// What a list of the content interface answers, worked out on plain objects: nothing of the executor, and nothing of the
// filter language's reader, is used. Queries are values; their text is spelled beside it (made-query.ts).
import { type OddPublication, type OddRecord, type OddTerm, postsOf } from './odd-records.ts';

export type Sought = string | number | boolean | null;

export type Clause =
  | { readonly kind: 'all'; readonly parts: readonly Clause[] }
  | { readonly kind: 'any'; readonly parts: readonly Clause[] }
  | {
      readonly kind: 'is';
      readonly field: string;
      readonly operator: '=' | '!=' | '>' | '>=' | '<' | '<=';
      readonly value: Sought;
    }
  | {
      readonly kind: 'among';
      readonly field: string;
      readonly isNot: boolean;
      readonly values: readonly Sought[];
    }
  | { readonly kind: 'every'; readonly field: string; readonly values: readonly Sought[] }
  | {
      readonly kind: 'like';
      readonly field: string;
      readonly isNot: boolean;
      readonly sign: '' | '^' | '$';
      readonly text: string;
    };

export type OracleQuery = {
  readonly filter: Clause | null;
  /** Known fields only. */
  readonly order: readonly { readonly field: string; readonly isDown: boolean }[];
  readonly limit: number;
  readonly page: number;
  readonly includes: readonly string[];
  readonly fields: readonly string[] | null;
  readonly formats: readonly string[] | null;
};

export type OracleResource = 'posts' | 'pages' | 'tags' | 'authors';

const TIMES: Readonly<Record<string, 'publishedMs' | 'createdMs' | 'updatedMs'>> = {
  published_at: 'publishedMs',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

type Value = string | number | boolean | null;

/** The values that a field of a record has: of relations, one for each linked one. */
const valuesOf = (record: OddRecord, field: string): Value[] => {
  const time = TIMES[field];
  if (time !== undefined) return [record[time]];
  const [name = '', column = 'slug'] = field.split('.');
  const terms = linkedTerms(record, name);
  if (terms !== null) return terms.map((term) => term[column as 'id' | 'slug' | 'name']);
  return [(record.document[field] ?? null) as Value];
};

const linkedTerms = (record: OddRecord, name: string): readonly OddTerm[] | null => {
  if (name === 'tag' || name === 'tags') return record.tags;
  if (name === 'author' || name === 'authors') return record.authors;
  if (name === 'primary_author') return record.authors.slice(0, 1);
  if (name !== 'primary_tag') return null;
  return record.tags.slice(0, 1).filter(({ visibility }) => visibility === 'public');
};

const isRelation = (field: string): boolean => /^(?:primary_)?(?:tag|author)s?(?:\.|$)/.test(field);

const small = (text: string): string =>
  text
    .split('')
    .map((unit) => (unit !== 'İ' && unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit))
    .join('');

const isEqual = (value: Value, sought: Sought, field: string): boolean => {
  if (value === null || sought === null) return value === sought;
  if (TIMES[field] !== undefined) return value === Date.parse(String(sought));
  if (field === 'featured') return value === (sought === true || sought === 1);
  return value === String(sought);
};

const compares = (
  value: Value,
  sought: Sought,
  { field, operator }: { field: string; operator: string },
): boolean => {
  if (value === null || sought === null) return false;
  const wanted = TIMES[field] !== undefined ? Date.parse(String(sought)) : String(sought);
  if (operator === '>') return value > wanted;
  if (operator === '>=') return value >= wanted;
  return operator === '<' ? value < wanted : value <= wanted;
};

const isLike = (value: Value, sign: string, text: string): boolean => {
  const [whole, part] = [small(String(value)), small(text)];
  if (sign === '^') return whole.startsWith(part);
  return sign === '$' ? whole.endsWith(part) : whole.includes(part);
};

const holds = (clause: Clause, valuesIn: (field: string) => Value[]): boolean => {
  if (clause.kind === 'all') return clause.parts.every((part) => holds(part, valuesIn));
  if (clause.kind === 'any') return clause.parts.some((part) => holds(part, valuesIn));
  const { field } = clause;
  if (field === 'status') return true;
  const values = valuesIn(field);
  const has = (sought: Sought): boolean =>
    sought === null && isRelation(field)
      ? values.length === 0
      : values.some((value) => isEqual(value, sought, field));
  // Not some primary tag: another one is there.
  const isMet = !field.startsWith('primary_') || values.length > 0;
  if (clause.kind === 'every') return clause.values.every(has);
  if (clause.kind === 'among') {
    return clause.isNot ? isMet && !clause.values.some(has) : clause.values.some(has);
  }
  if (clause.kind === 'like') {
    // Not some text: of several values, one lacks it.
    return values.some((value) => isLike(value, clause.sign, clause.text) !== clause.isNot);
  }
  if (clause.operator === '=') return has(clause.value);
  if (clause.operator === '!=') return isMet && !has(clause.value);
  return values.some((value) => compares(value, clause.value, clause));
};

const collator = new Intl.Collator('en');
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byField = (a: OddRecord, b: OddRecord, field: string): number => {
  const time = TIMES[field];
  if (time !== undefined) return a[time] - b[time];
  const [one, other] = [a.document[field], b.document[field]] as [string, string];
  if (field === 'featured') return Number(one) - Number(other);
  if (field === 'title') return collator.compare(one, other) || byUnits(a.id, b.id);
  return byUnits(one, other);
};

const byTerm = (
  a: OddTerm,
  b: OddTerm,
  { field, count }: { field: string; count: (term: OddTerm) => number },
): number => {
  if (field === 'count.posts') return count(a) - count(b);
  if (field === 'name') return collator.compare(a.name, b.name) || byUnits(a.id, b.id);
  return byUnits(a[field as 'id' | 'slug'], b[field as 'id' | 'slug']);
};

type Order = OracleQuery['order'];

const DEFAULTS: Readonly<Record<OracleResource, Order>> = {
  posts: [
    { field: 'published_at', isDown: true },
    { field: 'id', isDown: true },
  ],
  pages: [{ field: 'title', isDown: false }],
  tags: [{ field: 'name', isDown: false }],
  authors: [{ field: 'name', isDown: false }],
};

/** As the last clause, published_at means the id as well. */
const completed = (resource: OracleResource, order: Order): Order => {
  const last = order.at(-1);
  if (last?.field === 'published_at') return [...order, { field: 'id', isDown: last.isDown }];
  return [...order, ...DEFAULTS[resource]];
};

const sorted = <T>(
  items: readonly T[],
  order: Order,
  compare: (a: T, b: T, field: string) => number,
): T[] =>
  [...items].sort((a, b) => {
    for (const { field, isDown } of order) {
      const difference = compare(a, b, field);
      if (difference !== 0) return isDown ? -difference : difference;
    }
    return 0;
  });

/** Slugs of a list that all must be among, where no order was asked for. */
const listedSlugs = ({ filter, order }: OracleQuery): readonly string[] | null => {
  if (filter === null || order.length > 0) return null;
  for (const part of filter.kind === 'all' ? flat(filter) : [filter]) {
    if (part.kind === 'among' && part.field === 'slug' && !part.isNot && part.values.length > 1) {
      return part.values.map(String);
    }
  }
  return null;
};

const flat = (clause: Clause): readonly Clause[] =>
  clause.kind === 'all' ? clause.parts : [clause];

const inListedOrder = <T>(
  items: T[],
  slugs: readonly string[] | null,
  slugOf: (item: T) => string,
): T[] =>
  slugs === null
    ? items
    : items.sort((a, b) => slugs.indexOf(slugOf(a)) - slugs.indexOf(slugOf(b)));

const hasFormat = ({ formats, fields }: OracleQuery, format: string): boolean =>
  (formats ?? fields ?? ['html']).includes(format);

type Json = Record<string, unknown>;

const only = (document: Json, query: OracleQuery): Json =>
  query.fields === null
    ? document
    : Object.fromEntries(
        Object.entries(document).filter(
          ([key]) => query.fields?.includes(key) || (key === 'html' && hasFormat(query, 'html')),
        ),
      );

const recordJson = (record: OddRecord, query: OracleQuery): Json => {
  const { html, ...card } = record.document;
  const json = only(hasFormat(query, 'html') ? record.document : card, query);
  const isNamed = (key: string): boolean => query.fields?.includes(key) ?? true;
  const [hasAuthors, hasTags] = ['authors', 'tags'].map((one) => query.includes.includes(one));
  const embedded = (terms: readonly OddTerm[]) => terms.map((term) => term.embedded);
  const primaryTag = linkedTerms(record, 'primary_tag')?.[0]?.embedded ?? null;
  return {
    ...json,
    ...(hasFormat(query, 'plaintext') && { plaintext: record.plaintext }),
    ...(hasAuthors && { authors: embedded(record.authors) }),
    ...(hasTags && { tags: embedded(record.tags) }),
    ...(hasAuthors &&
      isNamed('primary_author') && { primary_author: record.authors[0]?.embedded ?? null }),
    ...(hasTags && isNamed('primary_tag') && { primary_tag: primaryTag }),
  };
};

const pageOf = <T>(items: readonly T[], { limit, page }: OracleQuery): T[] =>
  items.slice((page - 1) * limit, page * limit);

const paginationOf = (total: number, { limit, page }: OracleQuery): Json => {
  const pages = Math.max(1, Math.ceil(total / limit));
  const prev = page === 1 ? null : Math.min(page - 1, pages);
  return { page, limit, pages, total, next: page < pages ? page + 1 : null, prev };
};

const bodyOf = (
  resource: OracleResource,
  found: { total: number; items: Json[] },
  query: OracleQuery,
): string =>
  JSON.stringify({
    [resource]: found.items,
    meta: { pagination: paginationOf(found.total, query) },
  });

const termValues = (term: OddTerm, field: string): Value[] => [
  term[field as 'id' | 'slug' | 'name' | 'visibility'],
];

const termJson = (publication: OddPublication, term: OddTerm, query: OracleQuery): Json => ({
  ...only(term.document, query),
  ...(query.includes.includes('count.posts') && { count: { posts: postsOf(publication, term) } }),
});

/** The body of a list. */
export const expectedList = (
  publication: OddPublication,
  resource: OracleResource,
  query: OracleQuery,
): string => {
  const { filter } = query;
  const order = completed(resource, query.order);
  const slugs = listedSlugs(query);
  if (resource === 'posts' || resource === 'pages') {
    const matched = publication[resource].filter(
      (record) => filter === null || holds(filter, (field) => valuesOf(record, field)),
    );
    const byDefault = sorted(matched, order, byField);
    const all = inListedOrder(byDefault, slugs, ({ document }) => String(document.slug));
    const items = pageOf(all, query).map((record) => recordJson(record, query));
    return bodyOf(resource, { total: all.length, items }, query);
  }
  const matched = publication[resource].filter(
    (term) => filter === null || holds(filter, (field) => termValues(term, field)),
  );
  const count = (term: OddTerm): number => postsOf(publication, term);
  const byDefault = sorted(matched, order, (a, b, field) => byTerm(a, b, { field, count }));
  const all = inListedOrder(byDefault, slugs, ({ slug }) => slug);
  const items = pageOf(all, query).map((term) => termJson(publication, term, query));
  return bodyOf(resource, { total: all.length, items }, query);
};

/** The body of a read; `key` is what it was looked up by. */
export const expectedRecord = (
  publication: OddPublication,
  resource: OracleResource,
  read: { readonly id: string; readonly key: 'id' | 'slug'; readonly query: OracleQuery },
): string => {
  const fields = read.query.fields === null ? null : [...read.query.fields, read.key];
  // What was asked for decides on formats, not the key that is added.
  const formats = read.query.formats ?? read.query.fields?.filter((name) => name !== 'id') ?? null;
  const query = { ...read.query, fields, formats };
  if (resource === 'posts' || resource === 'pages') {
    const record = publication[resource].find(({ id }) => id === read.id) as OddRecord;
    return JSON.stringify({ [resource]: [recordJson(record, query)] });
  }
  const term = publication[resource].find(({ id }) => id === read.id) as OddTerm;
  return JSON.stringify({ [resource]: [termJson(publication, term, query)] });
};
