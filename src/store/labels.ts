// Queries of labels and of the labels of members.
import { type Selectable, sql, type Updateable } from 'kysely';
import { timeText } from './list-filter.ts';
import { column, type ListSource, timeColumns } from './list-source.ts';
import type { Reader, Writer } from './store.ts';
import type { LabelsTable } from './tables/members.ts';

export type LabelRow = Selectable<LabelsTable>;

const own = (name: string) => column('labels', name);

export const LABEL_LIST: ListSource<LabelRow> = {
  table: 'labels',
  fields: {
    id: { value: own('id'), kind: 'text' },
    name: { value: own('name'), kind: 'text' },
    slug: { value: own('slug'), kind: 'text' },
    created_at: { value: timeText(own('created_at')), kind: 'time' },
  },
  orders: {
    name: sql`${own('name')} COLLATE NOCASE`,
    slug: own('slug'),
    ...timeColumns('labels', ['created_at', 'updated_at']),
  },
  defaultOrder: sql`labels.name COLLATE NOCASE, ${timeText(own('created_at'))} DESC, labels.id`,
};

export const findLabelById = (reader: Reader, id: string): Promise<LabelRow | undefined> =>
  reader.selectFrom('labels').selectAll().where('id', '=', id).executeTakeFirst();

export const findLabelBySlug = (reader: Reader, slug: string): Promise<LabelRow | undefined> =>
  reader.selectFrom('labels').selectAll().where('slug', '=', slug).executeTakeFirst();

/** Names are compared without regard to case, in any script; the oldest label wins. */
export const findLabelByName = async (
  reader: Reader,
  name: string,
): Promise<LabelRow | undefined> => {
  const query = reader.selectFrom('labels').selectAll().orderBy('created_at').orderBy('id');
  if (!/\P{ASCII}/u.test(name)) {
    return query.where(sql`lower(trim(name))`, '=', sql`lower(${name})`).executeTakeFirst();
  }
  // SQLite folds ASCII only; labels are few.
  const folded = name.toLowerCase();
  return (await query.execute()).find((label) => label.name.trim().toLowerCase() === folded);
};

export const insertLabel = async (writer: Writer, row: LabelRow): Promise<void> => {
  await writer.insertInto('labels').values(row).execute();
};

export const updateLabel = async (
  writer: Writer,
  id: string,
  changes: Updateable<LabelsTable>,
): Promise<void> => {
  await writer.updateTable('labels').set(changes).where('id', '=', id).execute();
};

/** Members lose it. False when there is no such label. */
export const deleteLabelRow = async (writer: Writer, id: string): Promise<boolean> => {
  const result = await writer.deleteFrom('labels').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
};
