// Queries of labels and of the labels of members.
import { type Selectable, sql } from 'kysely';
import { each } from '../../../base/text/words.ts';
import type { LabelsTable } from '../../tables/members.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { column, type ListSource, ownColumns } from '../list-source.ts';
import { findRow, listRows, rowsOf } from '../table-rows.ts';

export type LabelRow = Selectable<LabelsTable>;

const OWN = ownColumns('labels', {
  ...each('text', 'id name slug'),
  ...each('time', 'created_at updated_at'),
});

export const LABEL_LIST: ListSource<LabelRow> = {
  table: 'labels',
  fields: OWN.fields,
  orders: { ...OWN.orders, name: sql`${column('labels', 'name')} COLLATE NOCASE` },
  defaultOrder: sql`labels.name COLLATE NOCASE, ${OWN.orders.created_at} DESC, labels.id`,
};

/** Members lose a label that is removed. */
export const {
  find: findLabelById,
  insert: insertLabel,
  update: updateLabel,
  remove: deleteLabelRow,
} = rowsOf('labels');

const UNLINKED_MAX = 100;

/** Takes the label from some members; true where others may have it still. */
export const unlinkMembers = async (tx: Transaction, labelId: string): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`DELETE FROM members_labels WHERE id IN
    (SELECT id FROM members_labels WHERE label_id = ${labelId} LIMIT ${UNLINKED_MAX})`.execute(
    db(tx),
  );
  return numAffectedRows >= UNLINKED_MAX;
};

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
