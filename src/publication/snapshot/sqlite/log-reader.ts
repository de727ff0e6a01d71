// Reads the change log of a snapshot in parts, with a tick of the event loop between them: one commit may
// have logged millions of changes, and memory and answers to others must not depend on their number.
import { setImmediate as tick } from 'node:timers/promises';
import type { Preparing } from '../../../base/sqlite/driver.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { emailOnlyPost, mailedValue } from '../../tables/published-posts.ts';
import { RECORD_TABLES } from '../../tables/record-tables.ts';
import { loggedRow } from '../last-good-row.ts';
import type { Change, LogScope, Snapshot } from '../snapshot.ts';

/** Numbers of the log that are looked at between two ticks of the event loop: a save takes many ticks. */
const PART = 1_000;

const COLUMNS =
  'seq, entity, op, row_id, record_id, other_id, old_record_id, old_other_id, action' as const;

type LogReader = Pick<
  Snapshot,
  'changesAfter' | 'countUnlabelledAfter' | 'oldRow' | 'statusChangesAfter'
>;

export const readLog = (statements: Preparing): LogReader => ({
  changesAfter: (seq, scope = 'all') => changesAfter(statements, seq, scope),
  statusChangesAfter: (seq, most) =>
    statements.prepare(STATUS_CHANGES).pluck().all(seq, seq, most) as string[],
  countUnlabelledAfter: (seq, table) =>
    statements.prepare(UNLABELLED).pluck().get(seq, table) as number,
  oldRow: (seq) => readOldRow(statements, seq),
});

/** Rows of these tables reach no document; what no trigger writes is read all the same. */
const EVENTS_ONLY = Object.entries(RECORD_TABLES).flatMap(([name, facts]) =>
  'shows' in facts ? [] : [`'${name}'`],
);

const SCOPES: Readonly<Record<LogScope, string>> = {
  all: '',
  documents: `AND NOT (entity IN (${EVENTS_ONLY.join(', ')}) AND op IN ('i', 'u', 'd', 'r'))`,
};

async function* changesAfter(
  statements: Preparing,
  after: number,
  scope: LogScope,
): AsyncGenerator<readonly Change[]> {
  const findNext = statements.prepare('SELECT min(seq) FROM changes WHERE seq > ?').pluck();
  const readPart = statements.prepare(
    `SELECT ${COLUMNS} FROM changes WHERE seq >= ? AND seq < ? ${SCOPES[scope]} ORDER BY seq`,
  );
  let next = findNext.get(after) as number | null;
  while (next !== null) {
    const end: number = next + PART;
    const part = readPart.all(next, end) as Change[];
    if (part.length > 0) yield part;
    next = findNext.get(end - 1) as number | null;
    if (next !== null) await tick();
  }
}

const UNLABELLED =
  'SELECT count(DISTINCT record_id) FROM changes WHERE seq > ? AND entity = ? AND action IS NULL';

/** With `min`, the other columns of a group are those of its first change. */
const STATUS_CHANGES = `
  SELECT first.record_id FROM (
    SELECT min(seq), record_id, json_extract(old, '$.status') AS before FROM changes
    WHERE seq > ? AND entity = 'posts' AND action IS NULL GROUP BY record_id
  ) AS first LEFT JOIN posts ON posts.id = first.record_id
  WHERE first.before IS NOT posts.status
  UNION
  SELECT first.record_id FROM (
    SELECT min(seq), record_id, old IS NOT NULL AND
      ${mailedValue("json_extract(old, '$.email_only')")} AS wasMailed FROM changes
    WHERE seq > ? AND entity = 'posts_meta' AND action IS NULL GROUP BY record_id
  ) AS first JOIN posts ON posts.id = first.record_id
  WHERE posts.status = 'published' AND first.wasMailed IS NOT ${emailOnlyPost('posts')}
  LIMIT ?`;

const readOldRow = (statements: Preparing, seq: number): Record<string, unknown> | null => {
  const old = statements.prepare('SELECT old FROM changes WHERE seq = ?').pluck().get(seq);
  return typeof old === 'string' ? parseStored(loggedRow, old, 'A row of the change log') : null;
};
