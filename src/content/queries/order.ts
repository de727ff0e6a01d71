// Orders of lists (facts 2.2; decisions, Queries). A clause without a direction, a field that the resource cannot be ordered
// by, and a field that was named before count for nothing; the default order is used when no clause is left, and settles what
// is equal. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
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
  | 'count.posts'
  /** As records stand: by time, the newest first, or by name. No client can ask for it. */
  | 'position';

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

/** Fields that lists of a resource can be ordered by; `count.posts` where it is included. */
export const orderFields = (resource: ListResource): readonly string[] =>
  isTermsName(resource) ? TERM_ORDERS.concat('count.posts') : RECORD_ORDERS;

/** The texts of the default order, in words that count. */
export const defaultOrders = (resource: ListResource): readonly string[] => {
  if (resource === 'posts') return ['published_at desc', 'published_at desc,id desc'];
  const usual = resource === 'pages' ? 'title asc' : 'name asc';
  return [usual, `${usual},id asc`, `${usual},id desc`];
};

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
      const words = clause.split(' ').filter(Boolean);
      const field = words[0] as OrderField;
      const isDown = words[1] === 'desc';
      if (words.length !== 2 || !(isDown || words[1] === 'asc')) return;
      if (known.indexOf(field) < 0 || clauses.some((before) => before.field === field)) return;
      clauses.push({ field, isDown });
    });
  return clauses;
};

/** By these no two records are equal; titles mean the id as well. */
const TOTAL: readonly OrderField[] = ['title', 'slug', 'id', 'position'];

/** The clauses as they are carried out, and after them what puts equal records in the default order. */
export const completeOrder = (
  resource: ListResource,
  clauses: readonly OrderClause[],
): readonly OrderClause[] => {
  const order = clauses.map((clause, at): OrderClause => {
    const isName = clause.field === 'name';
    // As the last clause, published_at means the id as well; the newest stands first.
    const isStanding = isName || (clause.field === 'published_at' && at === clauses.length - 1);
    return isStanding ? { field: 'position', isDown: clause.isDown === isName } : clause;
  });
  const last = order[order.length - 1];
  return last && TOTAL.indexOf(last.field) >= 0
    ? order
    : order.concat({ field: resource === 'pages' ? 'title' : 'position', isDown: false });
};

/** True of none, and of the default order in so many words. */
export const isDefaultOrder = (
  resource: ListResource,
  clauses: readonly OrderClause[],
): boolean => {
  const first = completeOrder(resource, clauses)[0] as OrderClause;
  return !first.isDown && first.field === (resource === 'pages' ? 'title' : 'position');
};
