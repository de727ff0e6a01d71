// Orders of lists (facts 2.2; decisions, Queries). A clause without a direction, and a field that the resource cannot be
// ordered by, count for nothing; the default order is used when no clause is left, and settles what is equal. Runtime-
// neutral, and written so that the oldest of the edge runtimes can run it.
import type { ListResource } from './resource.ts';

export type OrderField =
  | 'published_at'
  | 'updated_at'
  | 'created_at'
  | 'featured'
  | 'title'
  | 'name'
  | 'slug'
  | 'id'
  | 'count.posts';

export type OrderClause = { readonly field: OrderField; readonly isDown: boolean };

const RECORD_ORDERS: readonly OrderField[] = [
  'published_at',
  'updated_at',
  'created_at',
  'featured',
  'title',
  'slug',
  'id',
];
const TERM_ORDERS: readonly OrderField[] = ['name', 'slug', 'id'];

const ORDERS: Readonly<Record<ListResource, readonly OrderField[]>> = {
  posts: RECORD_ORDERS,
  pages: RECORD_ORDERS,
  tags: TERM_ORDERS,
  authors: TERM_ORDERS,
};

const DEFAULT_ORDERS: Readonly<Record<ListResource, OrderClause>> = {
  posts: { field: 'published_at', isDown: true },
  pages: { field: 'title', isDown: false },
  tags: { field: 'name', isDown: false },
  authors: { field: 'name', isDown: false },
};

const CHARACTERS = /^[a-z0-9_,. ]*$/i;

type OrderText = {
  readonly text: string;
  /** `count.posts` is a field only where it is included. */
  readonly hasCount: boolean;
};

/** Null for a text that is no order; empty when no clause counts. Clauses that change nothing are left out. */
export const parseOrder = (resource: ListResource, order: OrderText): OrderClause[] | null => {
  if (!CHARACTERS.test(order.text)) return null;
  const clauses: OrderClause[] = [];
  order.text.split(',').forEach((text) => {
    const words = text.toLowerCase().split(' ').filter(isWord);
    const field = words[0] as OrderField;
    const direction = words[1];
    if (words.length !== 2 || (direction !== 'asc' && direction !== 'desc')) return;
    const isKnown = ORDERS[resource].indexOf(field) !== -1;
    if (isKnown || (order.hasCount && field === 'count.posts')) {
      if (clauses.every((clause) => clause.field !== field)) {
        clauses.push({ field, isDown: direction === 'desc' });
      }
    }
  });
  return withoutLast(resource, untilTotal(clauses));
};

const isWord = (text: string): boolean => text !== '';

/** By these no two records are equal; title and name mean the id as well, and a last published_at does. */
const TOTAL: readonly OrderField[] = ['title', 'name', 'slug', 'id'];

const isTotal = (clause: OrderClause): boolean => TOTAL.indexOf(clause.field) !== -1;

const untilTotal = (clauses: readonly OrderClause[]): OrderClause[] => {
  const cut: OrderClause[] = [];
  for (let at = 0; at < clauses.length; at += 1) {
    const clause = clauses[at] as OrderClause;
    cut.push(clause);
    if (isTotal(clause)) break;
  }
  return cut;
};

/** Without a last clause that says what is done anyway. */
const withoutLast = (resource: ListResource, all: readonly OrderClause[]): OrderClause[] => {
  const clauses = withoutId(all);
  const last = clauses[clauses.length - 1];
  const before = clauses[clauses.length - 2];
  // As the last one, published_at would mean the id as well.
  const isSaid = before === undefined || before.field === 'published_at';
  return isSaid || !isUsual(resource, last) ? clauses : clauses.slice(0, -1);
};

const isUsual = (resource: ListResource, clause: OrderClause | undefined): boolean => {
  const usual = DEFAULT_ORDERS[resource];
  return clause !== undefined && clause.field === usual.field && clause.isDown === usual.isDown;
};

/** True of none, and of the default order in so many words. */
export const isDefaultOrder = (resource: ListResource, clauses: readonly OrderClause[]): boolean =>
  clauses.length === 0 || (clauses.length === 1 && isUsual(resource, clauses[0]));

/** A last published_at means the id as well. */
const withoutId = (clauses: readonly OrderClause[]): OrderClause[] => {
  const last = clauses[clauses.length - 1];
  const before = clauses[clauses.length - 2];
  if (last === undefined || before === undefined) return clauses.slice();
  const isMeant = last.field === 'id' && before.field === 'published_at';
  return isMeant && last.isDown === before.isDown ? clauses.slice(0, -1) : clauses.slice();
};

/** The clauses, and after them what puts equal records in the default order. */
export const completeOrder = (
  resource: ListResource,
  clauses: readonly OrderClause[],
): OrderClause[] => {
  const last = clauses[clauses.length - 1];
  if (last !== undefined && (isTotal(last) || last.field === 'published_at')) {
    return clauses.slice();
  }
  return clauses.concat(DEFAULT_ORDERS[resource]);
};
