// The rows of one record as they were before each of its changes, read backwards from its present rows. One row is
// held at a time: a record may have been edited often, and its body may be long.
import type { LastGoodRow } from './last-good-row.ts';
import type { Change } from './snapshot.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row, and the posts_meta row of a post or page; `row` is null while there is none. */
type Rows = { readonly row: Row | null; readonly meta: Row | null };

/** The rows as they were before the change `seq`. */
export type PreviousRow = Rows & { readonly seq: number };

export type RecordLog = {
  readonly id: string;
  readonly present: Rows;
  /** Changes of the record's own rows in the order of the log, without a gap up to the present. */
  readonly changes: readonly Change[];
  /** The row before a change, as it was logged. */
  readonly oldRow: (seq: number) => Row | null;
};

/** The newest first. */
export function* previousRows({ id, present, changes, oldRow }: RecordLog): Generator<PreviousRow> {
  let rows = present;
  for (let at = changes.length - 1; at >= 0; at -= 1) {
    const change = changes[at] as Change;
    const part = change.entity === 'posts_meta' ? 'meta' : 'row';
    const isReplacing = change.op === 'i' && isReplaced(changes, at);
    rows = { ...rows, [part]: rowBefore(change, rows[part], { id, oldRow }) };
    // Between the two halves of a REPLACE nobody saw the row gone.
    if (!isReplacing) yield { seq: change.seq, ...rows };
  }
}

/** True when the change of the same table before this one says that a REPLACE is to remove the row. */
const isReplaced = (changes: readonly Change[], at: number): boolean => {
  const { entity } = changes[at] ?? {};
  return changes.slice(0, at).findLast((change) => change.entity === entity)?.op === 'r';
};

type Reading = Pick<RecordLog, 'id' | 'oldRow'>;

const rowBefore = (change: Change, after: Row | null, { id, oldRow }: Reading): Row | null => {
  const { op, seq, record_id, old_record_id } = change;
  if (op === 'i') return null;
  if (op !== 'u') return oldRow(seq);
  // The row came from another record, or went to one.
  if (old_record_id !== id) return null;
  return fillFrom(oldRow(seq) ?? {}, record_id === id ? after : null);
};

/** Puts the value that stood after the change where the log says `true`: an unchanged long text. */
export const fillFrom = (before: Row, after: Row | null): Row =>
  Object.fromEntries(
    Object.entries(before).map(([column, value]) => [
      column,
      value === true ? (after?.[column] ?? null) : value,
    ]),
  );

export const toLastGoodRow = ({ row, meta }: Rows): LastGoodRow | null => row && { row, meta };
