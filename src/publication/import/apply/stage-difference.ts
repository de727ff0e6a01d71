// Reads the rows that a look at a source found to differ, and stages them. Beside those, rows that are understood only
// together: small tables whole, and the post of each row of posts_meta.
import type { RawRow, RowBatch, SourceState, Wanted } from '../../sources/source.ts';
import type { Difference } from '../../store/import/difference.ts';
import { findStanding } from '../../store/import/followed.ts';
import { findRows } from '../../store/import/import-rows.ts';
import type { Stage } from '../../store/import/import-stage.ts';
import type { Queryable } from '../../store/store.ts';
import type { Intake } from '../intake/ghost-intake.ts';
import { spellingsOf } from '../intake/normalise-row.ts';
import type { Aliases } from './aliases.ts';

/** Each is read whole when anything in it differs. */
const TOGETHER: readonly (readonly string[])[] = [['settings'], ['users', 'roles', 'roles_users']];

/** From so many rows on a table is read whole: to find them one by one takes as long. */
const IDS_MAX = 20_000;

type Staging = {
  readonly state: SourceState;
  readonly wanted: readonly Wanted[];
  readonly difference: Difference;
  readonly intake: Intake;
  readonly stage: Stage;
  readonly store: Queryable;
  readonly aliases: Aliases;
  readonly isAll: boolean;
  readonly onRead: (share: number) => void;
};

/** Returns each user's role, as far as users were read. */
export const stageDifference = async (staging: Staging): Promise<ReadonlyMap<string, string>> => {
  const { wanted, difference, intake, isAll } = staging;
  if (isAll) {
    await takeRows(staging, wanted);
    return intake.finish();
  }
  await addPosts(staging);
  const tables = difference.tables();
  const isTogether = (table: string): boolean =>
    TOGETHER.some((group) => group.includes(table) && group.some((one) => tables.has(one)));
  await takeRows(
    staging,
    wanted.flatMap((one): Wanted[] => {
      if (isTogether(one.table)) return [one];
      const count = difference.count('changed', one.table);
      if (count > IDS_MAX) return [one];
      const ids = [...difference.ids('changed', one.table)].flat().flatMap(spellingsOf);
      return count === 0 ? [] : [{ ...one, ids }];
    }),
  );
  await markMailed(staging);
  return intake.finish();
};

const takeRows = async (
  { state, intake, onRead }: Staging,
  wanted: readonly Wanted[],
): Promise<void> => {
  if (wanted.length === 0) return;
  for await (const { table, rows, share } of state.rows(wanted) as AsyncIterable<RowBatch>) {
    intake.declare(table);
    for (const row of rows) intake.take(table, row);
    onRead(share);
  }
};

/** Whether a post is e-mail only stands in posts_meta, and decides about its status. */
const addPosts = async ({ state, wanted, difference, store, aliases }: Staging): Promise<void> => {
  const add = (rows: readonly RawRow[]): void =>
    difference.add(
      'changed',
      'posts',
      rows.map(({ post_id }) => String(post_id)),
    );
  for (const values of difference.ids('gone', 'posts_meta')) {
    const ids = values.map((id) => aliases.resolve('posts_meta', id));
    const search = { table: 'posts_meta', columns: ['post_id'], by: 'id', values: ids } as const;
    add(await findRows(store, search));
  }
  const ids = [...difference.ids('changed', 'posts_meta')].flat().flatMap(spellingsOf);
  const metas = wanted.filter(({ table }) => table === 'posts_meta');
  if (ids.length === 0) return;
  const columns = ['id', 'post_id'];
  for await (const { rows } of state.rows(metas.map((one) => ({ ...one, ids, columns })))) {
    add(rows as readonly RawRow[]);
  }
};

/** Of posts whose row of posts_meta did not change, the publication knows whether they are e-mail only. */
const markMailed = async ({ difference, stage, store }: Staging): Promise<void> => {
  for (const values of difference.ids('changed', 'posts')) {
    const columns = ['id', 'post_id', 'email_only'];
    const metas = await findRows(store, { table: 'posts_meta', columns, by: 'post_id', values });
    const here = metas.map(({ id }) => String(id));
    const standing = await findStanding(store, 'posts_meta', here);
    const sources = new Map(standing.map(({ id, target }) => [target, id]));
    const sourceOf = (id: unknown): string => sources.get(String(id)) ?? String(id);
    const ids = here.map(sourceOf);
    const [staged, gone] = [
      stage.staged('posts_meta', ids),
      difference.has('gone', 'posts_meta', ids),
    ];
    const mailed = metas.filter(({ id, email_only }) => {
      const isKept = !staged.has(sourceOf(id)) && !gone.has(sourceOf(id));
      return isKept && email_only === 1;
    });
    stage.flag(
      'mailed',
      'posts',
      mailed.map(({ post_id }) => String(post_id)),
    );
  }
};
