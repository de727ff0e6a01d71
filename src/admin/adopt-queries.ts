// Which declared queries would answer what the companion server was asked (decisions, Queries). Queries that differ only
// by the slug of a tag or author become one pattern, when several were asked; a later page asks for all pages, since
// whoever asked for it follows them. Decides only; nothing is written here.
import {
  type DeclaredQueries,
  declaredQueriesOf,
  declareQuery,
  findQueryFault,
  rawQueryOfDeclared,
  type WrittenQuery,
} from '../config/declared-queries.ts';
import type { Config } from '../config/settings.ts';
import { type DeclaredQuery, isPatternSlug, SLUG_PATTERN } from '../paths/declared-queries.ts';
import type { AskedQuery } from '../store/asked-queries.ts';

export type Adoption = {
  /** To be declared. */
  readonly added: readonly DeclaredQuery[];
  /** What cannot be declared. */
  readonly left: readonly LeftQuery[];
};

export type LeftQuery = Pick<AskedQuery, 'resource' | 'query'> & {
  /** Why, without a full stop. */
  readonly reason: string;
};

export const planAdoption = (
  asked: readonly AskedQuery[],
  config: Pick<Config, 'queries' | 'lists.max'>,
): Adoption => {
  const max = config['lists.max'];
  const { queries } = declaredQueriesOf(config);
  const left: LeftQuery[] = [];
  const wanted = new Map<string, Wanted>();
  for (const { resource, query } of asked) {
    const reason = faultOf({ resource, query });
    if (reason !== null) {
      left.push({ resource, query, reason });
      continue;
    }
    const declared = declareQuery(writtenOf({ resource, query }), max);
    if (declared === null) continue;
    const folded = foldSlug(declared);
    const key = JSON.stringify([resource, folded?.query.rawQuery ?? declared.name]);
    const one = wanted.get(key) ?? { pattern: folded?.query ?? null, members: new Map() };
    wanted.set(key, one);
    const known = one.members.get(declared.name);
    one.members.set(declared.name, known?.pages === 'all' ? known : declared);
  }
  const added = [...wanted.values()].flatMap((one) => chosenOf(one, queries, max));
  return { added, left };
};

type Asked = Pick<AskedQuery, 'resource' | 'query'>;

/** Queries of one pattern by their names, or a query that has none. */
type Wanted = {
  readonly pattern: WrittenQuery | null;
  readonly members: Map<string, DeclaredQuery>;
};

const valuesOf = (query: string, name: string): string[] => new URLSearchParams(query).getAll(name);

const faultOf = ({ resource, query }: Asked): string | null => {
  if (query.includes(encodeURIComponent(SLUG_PATTERN)) || query.includes(SLUG_PATTERN)) {
    return 'it asks for {slug} itself, which a client has left in its address';
  }
  if (valuesOf(query, 'filter').length > 1) return 'it has several filters; write them as one';
  return findQueryFault(resource, query);
};

const writtenOf = ({ resource, query }: Asked): WrittenQuery => ({
  resource,
  rawQuery: query
    .split('&')
    .filter((pair) => !pair.startsWith('page='))
    .join('&'),
  pages: valuesOf(query, 'page').length > 0 ? 'all' : 1,
});

/** Signs between clauses, and what may hide them. */
const COMPLEX = /['"(),[\]\\]/;
const CLAUSE = /^((?:primary_)?(?:tags?|authors?)(?:\.slug)?):(.+)$/;

/** The pattern that a query is of; null: none of its clauses names one tag or author by its slug. */
const foldSlug = (declared: DeclaredQuery): { readonly query: WrittenQuery } | null => {
  const filter = declared.parameters.find(([name]) => name === 'filter')?.[1] ?? '';
  if (filter === '' || COMPLEX.test(filter)) return null;
  const clauses = filter.split('+');
  const at = clauses.findIndex((clause) => isPatternSlug(CLAUSE.exec(clause)?.[2] ?? ''));
  const [, field] = CLAUSE.exec(clauses[at] ?? '') ?? [];
  if (field === undefined) return null;
  const folded = clauses.with(at, `${field}:${SLUG_PATTERN}`).join('+');
  const parameters = declared.parameters.map(
    ([name, value]) => [name, name === 'filter' ? folded : value] as const,
  );
  const rawQuery = rawQueryOfDeclared({ parameters });
  return { query: { resource: declared.resource, rawQuery, pages: declared.pages } };
};

/** What of it is not declared yet. */
const chosenOf = (
  { pattern, members }: Wanted,
  declared: DeclaredQueries['queries'],
  max: number,
): DeclaredQuery[] => {
  const isDeclared = (query: DeclaredQuery): boolean =>
    declared.some(
      ({ resource, name, pages }) =>
        resource === query.resource &&
        name === query.name &&
        (pages === 'all' || query.pages !== 'all'),
    );
  const singles = [...members.values()];
  const pages = singles.some((one) => one.pages === 'all') ? 'all' : 1;
  const whole = pattern === null ? null : declareQuery({ ...pattern, pages }, max);
  if (whole !== null && isDeclared(whole)) return [];
  if (whole !== null && singles.length > 1) return [whole];
  return singles.filter((one) => !isDeclared(one));
};
