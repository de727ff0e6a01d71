// Snapshot over SQLite: a connection of its own whose read transaction begins, and reads once, before
// it is handed out; from then on it sees that commit only.
import type { Change, ChangeWithOld, Position, Snapshot } from '../snapshot.ts';
import { openConnection } from './connection.ts';
import { readContent } from './content-reader.ts';
import type { SqliteConnection } from './driver.ts';
import { readRecords } from './event-reader.ts';

/** Records are read once each, by several connections at a time: a large cache serves none of them. */
const OPTIONS = { readonly: true, cacheKb: 4_000 } as const;

export type SnapshotOpener = {
  readonly open: (present?: () => number) => Snapshot;
  /** Snapshots that are still open close their connections themselves. */
  readonly close: () => void;
};

/** Keeps one connection for the next snapshot: opening another reads the whole schema again. */
export const createSnapshotOpener = (path: string): SnapshotOpener => {
  let spare: SqliteConnection | null = null;
  let isClosed = false;
  const giveBack = (connection: SqliteConnection): void => {
    if (spare !== null || isClosed || !connection.open) {
      connection.close();
      return;
    }
    connection.exec('ROLLBACK');
    spare = connection;
  };
  return {
    open: (present) => {
      const connection = spare ?? openConnection(path, OPTIONS);
      spare = null;
      return tryBegin(connection, { present, giveBack });
    },
    close: () => {
      isClosed = true;
      spare?.close();
    },
  };
};

/** A snapshot on a connection of its own. */
export const openSnapshot = (path: string): Snapshot =>
  tryBegin(openConnection(path, OPTIONS), {
    giveBack: (connection) => connection.close(),
  });

type BeginOptions = {
  /** Asked once the snapshot stands: what was saved with the time of its saving is not after that. */
  readonly present?: (() => number) | undefined;
  /** Called with the connection when the snapshot is closed. */
  readonly giveBack: (connection: SqliteConnection) => void;
};

/** A connection that is left open in a transaction would keep the log from being cut. */
const tryBegin = (connection: SqliteConnection, options: BeginOptions): Snapshot => {
  try {
    return beginSnapshot(connection, options);
  } catch (error) {
    connection.close();
    throw error;
  }
};

const beginSnapshot = (
  connection: SqliteConnection,
  { present, giveBack }: BeginOptions,
): Snapshot => {
  connection.exec('BEGIN');
  // The first read settles which commit is seen.
  const position = readPosition(connection);
  const shownUntil = present?.() ?? Number.POSITIVE_INFINITY;
  return {
    position: () => position,
    follows: (earlier) => follows(connection, position, earlier),
    changesAfter: (seq) => changesAfter(connection, seq),
    changesWithOldAfter: (seq) => changesWithOldAfter(connection, seq),
    settings: () => readSettings(connection),
    ...readContent(connection, shownUntil),
    ...readRecords(connection),
    close: () => giveBack(connection),
  };
};

const readPosition = (connection: SqliteConnection): Position => {
  const state = connection.prepare('SELECT epoch FROM log_state WHERE id = 1').get() as
    | { epoch: string }
    | undefined;
  const last = connection
    .prepare('SELECT seq, hex(nonce) AS nonce FROM changes ORDER BY seq DESC LIMIT 1')
    .get() as { seq: number; nonce: string } | undefined;
  return { epoch: state?.epoch ?? '', seq: last?.seq ?? 0, nonce: last?.nonce ?? '' };
};

const follows = (connection: SqliteConnection, now: Position, earlier: Position): boolean => {
  if (earlier.epoch !== now.epoch || earlier.seq > now.seq) return false;
  if (earlier.seq === 0) {
    const first = connection.prepare('SELECT min(seq) FROM changes').pluck().get() as number | null;
    return first === null || first === 1;
  }
  const row = connection
    .prepare('SELECT hex(nonce) AS nonce FROM changes WHERE seq = ?')
    .get(earlier.seq) as { nonce: string } | undefined;
  return row?.nonce === earlier.nonce;
};

const COLUMNS =
  'seq, entity, op, row_id, record_id, other_id, old_record_id, old_other_id, action' as const;

const changesAfter = (connection: SqliteConnection, seq: number): Iterable<Change> =>
  connection
    .prepare(`SELECT ${COLUMNS} FROM changes WHERE seq > ? ORDER BY seq`)
    .iterate(seq) as Iterable<Change>;

function* changesWithOldAfter(connection: SqliteConnection, seq: number): Generator<ChangeWithOld> {
  const rows = connection
    .prepare(`SELECT ${COLUMNS}, old FROM changes WHERE seq > ? ORDER BY seq`)
    .iterate(seq) as Iterable<Change & { old: string | null }>;
  for (const row of rows) {
    const old = row.old === null ? null : (JSON.parse(row.old) as Record<string, unknown>);
    yield { ...row, old };
  }
}

const readSettings = (connection: SqliteConnection): Map<string, string | null> => {
  const rows = connection.prepare('SELECT key, value FROM settings').all() as {
    key: string;
    value: string | null;
  }[];
  return new Map(rows.map((row) => [row.key, row.value]));
};
