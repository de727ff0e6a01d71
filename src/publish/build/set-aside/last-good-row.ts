// Decides which earlier row is shown in place of one that cannot be rendered. Pure. Every doubt closes: a row that was taken
// back or gated while it was broken leaves nothing to show. The log does not tell which changes were committed together, so
// a row of it is taken only when it is no more open than the one announced last: no state amid a transaction is shown.
import { toText } from '../../../base/text/stored-text.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { LastGoodRow, RecordHolder } from '../../../publication/snapshot/last-good-row.ts';
import {
  previousRows,
  type RecordLog,
  toLastGoodRow,
} from '../../../publication/snapshot/previous-rows.ts';
import { CLOSED, rankVisibility } from '../../../publication/snapshot/visibility-rank.ts';
import { isPublicPost } from '../../../publication/tables/published-posts.ts';

type Choice = {
  readonly kept: LastGoodRow | null;
  /** The change that broke the row; null when the row before the first change was broken already. */
  readonly brokenSeq: number | null;
};

type Input = {
  readonly entity: RecordHolder;
  /** The record's changes since its row was looked at last. */
  readonly log: RecordLog;
  /** What was shown then, when its row was broken already; absent: the row of then itself. */
  readonly base?: LastGoodRow | null;
  readonly canRender: (row: LastGoodRow) => boolean;
  /** The present in milliseconds. */
  readonly now: number;
};

export const chooseLastGoodRow = (input: Input): Choice => {
  const { base, canRender } = input;
  const rank = (rows: LastGoodRow | null): number => rankOf(input.entity, rows, input.now);
  const { strictest, newest, first, brokenSeq } = readHistory(input, rank);
  const known = base === undefined ? first : base;
  if (known === null || strictest === CLOSED) return { kept: null, brokenSeq };
  const isOpened = newest !== null && rank(newest.row) < rank(known);
  if (newest !== null && !isOpened) return { kept: newest.isGated ? null : newest.row, brokenSeq };
  const isGated = rank(known) < strictest || !canRender(known);
  return { kept: isGated ? null : known, brokenSeq };
};

type History = Pick<Choice, 'brokenSeq'> & {
  /** The highest rank that the row had. */
  readonly strictest: number;
  /** The newest row that can be rendered; gated: the row was more closed after it. */
  readonly newest: { readonly row: LastGoodRow; readonly isGated: boolean } | null;
  readonly first: LastGoodRow | null;
};

const readHistory = (
  { log, canRender }: Input,
  rank: (rows: LastGoodRow | null) => number,
): History => {
  let strictest = rank(toLastGoodRow(log.present));
  let newest: History['newest'] = null;
  let first: LastGoodRow | null = toLastGoodRow(log.present);
  let brokenSeq: number | null = null;
  for (const { seq, ...rows } of previousRows(log)) {
    first = toLastGoodRow(rows);
    if (newest === null && first !== null && canRender(first)) {
      newest = { row: first, isGated: rank(first) < strictest };
      brokenSeq = seq;
    }
    strictest = Math.max(strictest, rank(first));
  }
  return { strictest, newest, first, brokenSeq };
};

/** How closed a row is; a row that strangers read more of has the lower rank. */
const rankOf = (entity: RecordHolder, rows: LastGoodRow | null, now: number): number => {
  if (rows === null) return CLOSED;
  if (entity === 'posts' && !isShown(rows, now)) return CLOSED;
  return rankVisibility(entity, rows.row.visibility);
};

const isShown = ({ row, meta }: LastGoodRow, now: number): boolean =>
  isPublicPost({ post: { status: toText(row.status) }, meta }) &&
  (row.type === 'post' || row.type === 'page') &&
  (parseStoredTime(row.published_at as string | number | null) ?? now) <= now;
