// Finds posts and pages that a writer saved as published for a time to come. Only what was saved since the announced
// state is judged: what was shown then is not taken back, whatever the clock says. Where the log does not tell what
// was saved since, the caller says what was shown.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import { spellBytes } from '../../../base/text/stored-text.ts';
import { parseStoredTime } from '../../../base/time.ts';
import type { EarlyOptions, Position } from '../snapshot.ts';

/** Labelled changes are saves of ours, which look at the clock themselves. `old`: before the first of the others. */
const SAVED = `
  SELECT posts.id, posts.published_at AS time, json_extract(changes.old, '$.status') AS oldStatus,
    json_extract(changes.old, '$.published_at') AS oldTime
  FROM (
    SELECT min(seq) AS seq, record_id FROM changes
    WHERE seq > ? AND entity = 'posts' AND action IS NULL GROUP BY record_id
  ) AS first
  CROSS JOIN posts ON posts.id = first.record_id
  CROSS JOIN changes ON changes.seq = first.seq
  WHERE posts.status = 'published'`;
/** Before the first build, or after a gap in the log. */
const ALL = `SELECT id, published_at AS time, NULL AS oldStatus, NULL AS oldTime FROM posts
  WHERE status = 'published'`;

type Row = {
  readonly id: string;
  readonly time: unknown;
  readonly oldStatus: unknown;
  readonly oldTime: unknown;
};

/** `after`: the announced position, in a log that is unbroken since; null when there is none. */
export const readEarly = (
  statements: Preparing,
  after: Position | null,
  { presentMs, isShown }: EarlyOptions,
): string[] => {
  const statement = statements.prepare(after === null ? ALL : SAVED);
  const rows = statement.iterate(...(after === null ? [] : [after.seq])) as Iterable<Row>;
  const early: string[] = [];
  for (const { id, time, oldStatus, oldTime } of rows) {
    const ms = toMs(time);
    if (ms <= presentMs) continue;
    const wasPublished =
      after === null ? isShown(id) : oldStatus === 'published' && toMs(oldTime) === ms;
    if (!wasPublished) early.push(id);
  }
  return early;
};

const toMs = (stored: unknown): number =>
  parseStoredTime(spellBytes(stored) as string | number | null) ?? 0;
