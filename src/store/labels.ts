// Queries of labels and of the labels of members.
import { type Selectable, sql } from 'kysely';
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

/** Slugs of labels that are `base` or begin with `base-`. */
export const listLabelSlugsLike = async (reader: Reader, base: string): Promise<string[]> => {
  const rows = await reader
    .selectFrom('labels')
    .select('slug')
    .where(({ eb, or, and }) =>
      or([eb('slug', '=', base), and([eb('slug', '>=', `${base}-`), eb('slug', '<', `${base}.`)])]),
    )
    .execute();
  return rows.map(({ slug }) => slug);
};
