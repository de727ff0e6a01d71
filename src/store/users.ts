// Queries of users, who are the authors of posts and pages.
import { type Selectable, sql } from 'kysely';
import { column, type ListSource, timeColumns } from './list-source.ts';
import type { Reader } from './store.ts';
import type { UsersTable } from './tables/content.ts';

export type UserRow = Selectable<UsersTable>;

const own = (name: string) => column('users', name);

export const USER_LIST: ListSource<UserRow> = {
  table: 'users',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    slug: { value: own('slug'), kind: 'text' },
    email: { value: own('email'), kind: 'text' },
    status: { value: own('status'), kind: 'text' },
  },
  orders: {
    id: own('id'),
    name: sql`${own('name')} COLLATE NOCASE`,
    slug: own('slug'),
    email: own('email'),
    ...timeColumns('users', ['last_seen', 'created_at', 'updated_at']),
  },
  defaultOrder: sql`users.name COLLATE NOCASE, users.id`,
};

/** Posts and pages of any status that each user wrote at. */
export const countPostsOfUsers = async (
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('posts_authors')
    .select(['author_id', ({ fn }) => fn.count<number>('post_id').distinct().as('posts')])
    .where('author_id', 'in', ids)
    .groupBy('author_id')
    .execute();
  return new Map(rows.map(({ author_id, posts }) => [author_id, posts]));
};

/** The owner; in a publication without one, its oldest user. */
export const findOwner = async (reader: Reader): Promise<UserRow | undefined> => {
  const users = reader.selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
  return (
    (await users.where('role', '=', 'Owner').executeTakeFirst()) ?? (await users.executeTakeFirst())
  );
};

/** Addresses are the same in any case of ASCII letters. */
export const findUserBy = (
  reader: Reader,
  column: 'id' | 'slug' | 'email',
  value: string,
): Promise<UserRow | undefined> => {
  const users = reader.selectFrom('users').selectAll();
  if (column !== 'email') return users.where(column, '=', value).executeTakeFirst();
  const address = value.trim();
  return users
    .where(sql`lower(email)`, '=', sql`lower(${address})`)
    .orderBy(sql`email <> ${address}`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
};
