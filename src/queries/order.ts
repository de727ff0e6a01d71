// Orders of lists (facts 2.2; decisions, Queries). A clause without a direction, and a field that the resource cannot be
// ordered by, count for nothing; the default order is used when no clause is left, and settles what is equal. Runtime-
// neutral, and written so that the oldest of the edge runtimes can run it.
import { isTermsName, type ListResource } from './resource.ts';

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

const RECORD_ORDERS: readonly string[] = [
  'published_at',
  'updated_at',
  'created_at',
  'featured',
  'title',
  'slug',
  'id',
];
const TERM_ORDERS: readonly string[] = ['name', 'slug', 'id'];

/** Null for a text that is no order; empty when no clause counts. `count.posts` is a field where it is included. */
export const parseOrder = (
  resource: ListResource,
  text: string,
  includes: readonly string[],
): OrderClause[] | null => {
  if (!/^[a-z0-9_,. ]*$/i.test(text)) return null;
  const known = isTermsName(resource) ? TERM_ORDERS.concat(includes) : RECORD_ORDERS;
  const clauses: OrderClause[] = [];
  text
    .toLowerCase()
    .split(',')
    .forEach((clause) => {
      const words = clause.split(' ').filter((word) => word !== '');
      const field = words[0] as OrderField;
      const isDown = words[1] === 'desc';
      if (words.length !== 2 || !(isDown || words[1] === 'asc')) return;
      if (known.indexOf(field) !== -1) clauses.push({ field, isDown });
    });
  return clauses;
};

/** By these no two records are equal; title and name mean the id as well, and a last published_at does. */
const TOTAL: readonly OrderField[] = ['title', 'name', 'slug', 'id'];

export const isTotal = (clause: OrderClause): boolean => TOTAL.indexOf(clause.field) !== -1;

export const defaultOrder = (resource: ListResource): OrderClause => ({
  field: isTermsName(resource) ? 'name' : resource === 'posts' ? 'published_at' : 'title',
  isDown: resource === 'posts',
});

/** The clauses, and after them what puts equal records in the default order. */
export const completeOrder = (
  resource: ListResource,
  clauses: readonly OrderClause[],
): readonly OrderClause[] => {
  const last = clauses[clauses.length - 1];
  return last !== undefined && (isTotal(last) || last.field === 'published_at')
    ? clauses
    : clauses.concat(defaultOrder(resource));
};
