// Records that are set aside: their present row cannot be rendered, so an earlier one is shown in its place, or
// nothing. Owns what is stored of them; builder/set-aside.ts decides what that is. An entry holds for the row as it
// was at its position in the change log; a later change of that row outdates it.
import { toText } from '../base/stored-text.ts';
import type { Position, RecordHolder } from './snapshot.ts';
import type { Reader, Writer } from './store.ts';

/** A row as the change log holds it; `meta` is the posts_meta row of a post or page. */
export type KeptRow = {
  readonly row: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>> | null;
};

type FieldProblem = { readonly field: string; readonly reason: string };

export type SetAside = {
  readonly entity: RecordHolder;
  readonly id: string;
  readonly problems: readonly FieldProblem[];
  /** Milliseconds. */
  readonly since: number;
  /** The change that broke the row. */
  readonly brokenSeq: number;
  /** The change from which on nothing is shown of the record; null while an earlier row is. */
  readonly hiddenSeq: number | null;
};

/** An entry as a snapshot sees it. */
export type SetAsideEntry = SetAside & {
  readonly epoch: string;
  readonly seq: number;
  /** The first change of the row since; null when there is none. */
  readonly changedSeq: number | null;
  /** False when the row was changed since: then it is rendered like any other. */
  readonly isCurrent: boolean;
};

export type NewEntry = SetAside & { readonly kept: KeptRow | null };

/** `position` is the one of the snapshot in which the rows were looked at. */
export const putSetAside = async (
  writer: Writer,
  { entity, id, problems, since, brokenSeq, hiddenSeq, kept }: NewEntry,
  { epoch, seq }: Position,
): Promise<void> => {
  const values = {
    problems: JSON.stringify(problems),
    since,
    epoch,
    seq,
    broken_seq: brokenSeq,
    hidden_seq: hiddenSeq,
    kept_key: kept === null ? null : JSON.stringify(keyOf(entity, kept)),
    kept: kept === null ? null : JSON.stringify(kept, nameInfinity),
  };
  await writer
    .insertInto('set_aside')
    .values({ entity, id, ...values })
    .onConflict((conflict) => conflict.columns(['entity', 'id']).doUpdateSet(values))
    .execute();
};

/** JSON has no infinite number and would make it null; the text reads as the same number. */
const nameInfinity = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

/** What lists and addresses need of a kept row, so that bodies are not read for it. */
export type KeptKey = {
  /** `post`, `page`, or absent for tags and authors. */
  readonly type?: unknown;
  readonly slug: string;
  /** When a post or page was published, as stored; absent for tags and authors. */
  readonly time?: string | number | null;
};

const keyOf = (entity: RecordHolder, { row }: KeptRow): KeptKey => {
  const slug = toText(row.slug);
  if (entity !== 'posts') return { slug };
  return { type: row.type, slug, time: row.published_at as string | number | null };
};

type Keyed = Pick<SetAsideEntry, 'entity' | 'id' | 'seq'>;

/** Has the next snapshot render the rows as they are; entries that were made anew meanwhile stay. */
export const outdateSetAside = async (writer: Writer, entries: readonly Keyed[]): Promise<void> => {
  for (const { entity, id, seq } of entries) {
    await writer
      .updateTable('set_aside')
      .set({ seq: OUTDATED })
      .where('entity', '=', entity)
      .where('id', '=', id)
      .where('seq', '=', seq)
      .execute();
  }
};

/** Comes before any change. */
const OUTDATED = -1;

/** Forgets entries of rows that were rendered; entries that were made anew meanwhile stay. */
export const removeSetAside = async (writer: Writer, entries: readonly Keyed[]): Promise<void> => {
  for (const { entity, id, seq } of entries) {
    await writer
      .deleteFrom('set_aside')
      .where('entity', '=', entity)
      .where('id', '=', id)
      .where('seq', '=', seq)
      .execute();
  }
};

export const hasSetAside = async (reader: Reader): Promise<boolean> =>
  (await reader.selectFrom('set_aside').select('id').limit(1).executeTakeFirst()) !== undefined;
