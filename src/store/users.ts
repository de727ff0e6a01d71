// Queries of users, who are the authors of posts and pages.
import type { Selectable } from 'kysely';
import type { Reader } from './store.ts';
import type { UsersTable } from './tables/content.ts';

export type UserRow = Selectable<UsersTable>;

/** The owner; in a publication without one, its oldest user. */
export const findOwner = async (reader: Reader): Promise<UserRow | undefined> => {
  const users = reader.selectFrom('users').selectAll().orderBy('created_at').orderBy('id');
  return (
    (await users.where('role', '=', 'Owner').executeTakeFirst()) ?? (await users.executeTakeFirst())
  );
};

export const findUserBy = (
  reader: Reader,
  column: 'id' | 'slug' | 'email',
  value: string,
): Promise<UserRow | undefined> =>
  reader.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
