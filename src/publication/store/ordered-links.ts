// The ordered links of a record, such as a post's tags or a member's labels. A link that stays keeps its row: the change log
// then shows only what was attached, detached or moved.
import { createId } from '../../base/ids.ts';
import { RECORD_TABLES } from '../tables/record-tables.ts';
import { db, type Transaction } from './db.ts';
import { untyped } from './table-rows.ts';

type OrderedLinks = 'posts_tags' | 'posts_authors' | 'posts_tiers' | 'members_labels';
type Link = { readonly id: string; readonly linked: string; readonly sort_order: number };

/** Makes the links of a record exactly `ids`, in that order; true when anything changed. */
export const replaceLinks = async (
  tx: Transaction,
  { table, of }: { readonly table: OrderedLinks; readonly of: string },
  ids: readonly string[],
): Promise<boolean> => {
  const { record, other } = RECORD_TABLES[table];
  const present = (await untyped(tx)
    .selectFrom<string>(table)
    .select(['id', 'sort_order', `${other} as linked`])
    .where(record, '=', of)
    .orderBy('sort_order')
    .orderBy('id')
    .execute()) as Link[];
  if (present.length === ids.length && present.every(({ linked }, at) => linked === ids[at])) {
    return false;
  }
  const kept = new Map<string, Link>();
  const surplus: string[] = [];
  for (const link of present) {
    if (kept.has(link.linked) || !ids.includes(link.linked)) surplus.push(link.id);
    else kept.set(link.linked, link);
  }
  if (surplus.length > 0) await db(tx).deleteFrom(table).where('id', 'in', surplus).execute();
  for (const [sort_order, linked] of ids.entries()) {
    const link = kept.get(linked);
    const row = { id: createId(), [record]: of, [other]: linked, sort_order };
    if (link === undefined) await untyped(tx).insertInto<string>(table).values(row).execute();
    else if (link.sort_order !== sort_order) {
      await db(tx).updateTable(table).set({ sort_order }).where('id', '=', link.id).execute();
    }
  }
  return true;
};
