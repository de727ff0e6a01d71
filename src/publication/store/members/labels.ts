// Queries of labels and of the labels of members.
import { type Selectable, sql } from 'kysely';
import type { LabelsTable } from '../../tables/members.ts';
import type { Queryable } from '../db.ts';
import { timeText } from '../list-filter.ts';
import { column, type ListSource, ownFields, timeColumns } from '../list-source.ts';
import { findRow, listRows, rowsOf } from '../table-rows.ts';

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

/** Members lose a label that is removed. */
export const {
  find: findLabelById,
  insert: insertLabel,
  update: updateLabel,
  remove: deleteLabelRow,
} = rowsOf('labels');

export const findLabelBySlug = (from: Queryable, slug: string): Promise<LabelRow | undefined> =>
  findRow(from, 'labels', { slug });

/** The oldest first. */
export const listLabels = (from: Queryable): Promise<LabelRow[]> =>
  listRows(from, 'labels', { by: ['created_at', 'id'] });

/** Names are compared without regard to case, in any script; the oldest label wins. */
export const findLabelByName = async (
  from: Queryable,
  name: string,
): Promise<LabelRow | undefined> => {
  const folded = name.toLowerCase();
  const labels = await listLabels(from);
  return labels.find((label) => label.name.trim().toLowerCase() === folded);
};
