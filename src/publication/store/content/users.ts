// Queries of users, who are the authors of posts and pages.
import { type Selectable, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { Tables } from '../../tables/tables.ts';
import { db, type Queryable } from '../db.ts';
import { column, type ListSource, ownColumns } from '../list-source.ts';
import { countLinkedPosts } from './linked-posts.ts';

export type UserRow = Selectable<Tables['users']>;

const OWN = ownColumns('users', {
  ...each('text', 'id name slug email status visibility locale profile_image cover_image bio'),
  ...each('text', 'website location facebook twitter meta_title meta_description'),
  ...each('time', 'last_seen created_at updated_at'),
});

export const USER_LIST: ListSource<UserRow> = {
  table: 'users',
  fields: OWN.fields,
  orders: { ...OWN.orders, name: sql`${column('users', 'name')} COLLATE NOCASE` },
  defaultOrder: sql`users.name COLLATE NOCASE, users.id`,
};

/** Posts and pages of any status that each user wrote at. */
export const countPostsOfUsers = (
  from: Queryable,
  ids: readonly string[],
): Promise<Map<string, number>> => countLinkedPosts(from, ['posts_authors', 'author_id'], ids);

/** The owner; in a publication without one, its oldest user. */
export const findOwner = async (from: Queryable): Promise<UserRow | undefined> => {
  const users = db(from).selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
  return (
    (await users.where('role', '=', 'Owner').executeTakeFirst()) ?? (await users.executeTakeFirst())
  );
};

/** Addresses are the same in any case of ASCII letters. */
export const findUserBy = (
  from: Queryable,
  column: 'id' | 'slug' | 'email',
  value: string,
): Promise<UserRow | undefined> => {
  const users = db(from).selectFrom('users').selectAll();
  if (column !== 'email') return users.where(column, '=', value).executeTakeFirst();
  const address = value.trim();
  return users
    .where(sql`lower(email)`, '=', sql`lower(${address})`)
    .orderBy(sql`email <> ${address}`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
};
