// Which slugs of a table are taken, for making one that is free.
import { sql } from 'kysely';
import { db, type Queryable } from '../db.ts';

export type SluggedTable = 'posts' | 'tags' | 'newsletters' | 'labels' | 'tiers' | 'benefits';

type Wanted = {
  readonly base: string;
  /** The row whose own slug is no obstacle. */
  readonly exceptId?: string | null;
};

/** Slugs that are `base` or begin with `base-`. */
export const listSlugsLike = async (
  from: Queryable,
  table: SluggedTable,
  { base, exceptId }: Wanted,
): Promise<string[]> => {
  // A range instead of LIKE: the index serves it, and no character needs escaping.
  const { rows } = await sql<{ slug: string }>`
    SELECT slug FROM ${sql.table(table)}
    WHERE (slug = ${base} OR (slug >= ${`${base}-`} AND slug < ${`${base}.`}))
      AND id <> ${exceptId ?? ''}`.execute(db(from));
  return rows.map(({ slug }) => slug);
};
