// Finds posts and pages that a writer saved as published for a time to come. Only what was saved since the announced
// state is judged: what was shown then is not taken back, whatever the clock says.
import { spellBytes } from '../../base/stored-text.ts';
import { parseStoredTime } from '../../base/time.ts';
import type { Preparing } from '../../sqlite/driver.ts';
import type { Position } from '../snapshot.ts';

/** Labelled changes are saves of ours, which look at the clock themselves. */
const SAVED = `
  SELECT posts.id, posts.published_at AS time FROM (
    SELECT min(seq) AS seq, record_id FROM changes
    WHERE seq > ? AND entity = 'posts' AND action IS NULL GROUP BY record_id
  ) AS first
  CROSS JOIN posts ON posts.id = first.record_id
  CROSS JOIN changes ON changes.seq = first.seq
  WHERE posts.status = 'published' AND NOT (
    json_extract(changes.old, '$.status') IS 'published'
    AND json_extract(changes.old, '$.published_at') IS posts.published_at)`;
/** Nothing was shown before, or nobody knows what. */
const ALL = "SELECT id, published_at AS time FROM posts WHERE status = 'published'";

type Row = { readonly id: string; readonly time: unknown };

/** `after`: the announced position, in a log that is unbroken since; null when there is none. */
export const readEarly = (
  statements: Preparing,
  after: Position | null,
  presentMs: number,
): string[] => {
  const rows =
    after === null ? statements.prepare(ALL).all() : statements.prepare(SAVED).all(after.seq);
  return (rows as Row[]).filter(({ time }) => toMs(time) > presentMs).map(({ id }) => id);
};

const toMs = (stored: unknown): number =>
  parseStoredTime(spellBytes(stored) as string | number | null) ?? 0;
