// Queries of labels and of the labels of members.
import { type Selectable, sql, type Updateable } from 'kysely';
import type { LabelsTable } from '../../tables/members.ts';
import { timeText } from '../list-filter.ts';
import { column, type ListSource, ownFields, timeColumns } from '../list-source.ts';
import type { Reader, Writer } from '../store.ts';
import { deleteRow, findRow, insertRow, updateRow } from '../table-rows.ts';

export type LabelRow = Selectable<LabelsTable>;

const own = (name: string) => column('labels', name);

export const LABEL_LIST: ListSource<LabelRow> = {
  table: 'labels',
  fields: {
    ...ownFields('labels', 'text', ['id', 'name', 'slug']),
    ...ownFields('labels', 'time', ['created_at']),
  },
  orders: {
    name: sql`${own('name')} COLLATE NOCASE`,
    slug: own('slug'),
    ...timeColumns('labels', ['created_at', 'updated_at']),
  },
  defaultOrder: sql`labels.name COLLATE NOCASE, ${timeText(own('created_at'))} DESC, labels.id`,
};

export const findLabelById = (reader: Reader, id: string): Promise<LabelRow | undefined> =>
  findRow(reader, 'labels', { id });

export const findLabelBySlug = (reader: Reader, slug: string): Promise<LabelRow | undefined> =>
  findRow(reader, 'labels', { slug });

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

export const insertLabel = (writer: Writer, row: LabelRow): Promise<void> =>
  insertRow(writer, 'labels', row);

export const updateLabel = (
  writer: Writer,
  id: string,
  changes: Updateable<LabelsTable>,
): Promise<void> => updateRow(writer, 'labels', { ...changes, id });

/** Members lose it. False when there is no such label. */
export const deleteLabelRow = (writer: Writer, id: string): Promise<boolean> =>
  deleteRow(writer, 'labels', { id });
