// Snapshot over SQLite: a connection of its own whose read transaction begins, and reads once, before
// it is handed out; from then on it sees that commit only.
import { openConnection } from '../../../base/sqlite/connection.ts';
import { findFaults } from '../../../base/sqlite/database-fault.ts';
import type { Preparing, SqliteConnection } from '../../../base/sqlite/driver.ts';
import { cacheStatements } from '../../../base/sqlite/statement-cache.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { toText } from '../../../base/text/stored-text.ts';
import type { Position, Snapshot } from '../snapshot.ts';
import { type NotTaken, sourceProblem } from '../source-problem.ts';
import { readContent } from './content-reader.ts';
import { readEarly } from './early-posts.ts';
import { readRecords } from './event-reader.ts';
import { readLog } from './log-reader.ts';
import { findMissing } from './rows-by-id.ts';
import { readAside } from './set-aside-reader.ts';

/** Records are read once each, by several connections at a time: a large cache serves none of them. */
const OPTIONS = { readonly: true } as const;

export type SnapshotOpener = {
  readonly open: () => Snapshot;
  /** Snapshots that are still open close their connections themselves. */
  readonly close: () => void;
};

type Opened = Preparing & { readonly connection: SqliteConnection };

const openOne = (path: string): Opened => {
  const connection = openConnection(path, OPTIONS);
  return { connection, prepare: cacheStatements((sql) => connection.prepare(sql)) };
};

/** Keeps one connection for the next snapshot: opening another reads the whole schema again. */
export const createSnapshotOpener = (path: string): SnapshotOpener => {
  let spare: Opened | null = null;
  let isClosed = false;
  const giveBack = (opened: Opened): void => {
    const { connection } = opened;
    if (spare !== null || isClosed || !connection.open) {
      connection.close();
      return;
    }
    connection.exec('ROLLBACK');
    spare = opened;
  };
  return {
    open: () => {
      const opened = spare ?? openOne(path);
      spare = null;
      return tryBegin(opened, giveBack);
    },
    close: () => {
      isClosed = true;
      spare?.connection.close();
    },
  };
};

export const openSqliteSnapshot = (path: string): Snapshot =>
  tryBegin(openOne(path), ({ connection }) => connection.close());

/** Called with the connection when the snapshot is closed. */
type GiveBack = (opened: Opened) => void;

/** A connection that is left open in a transaction would keep the log from being cut. */
const tryBegin = (opened: Opened, giveBack: GiveBack): Snapshot => {
  try {
    return beginSnapshot(opened, giveBack);
  } catch (error) {
    opened.connection.close();
    throw error;
  }
};

const beginSnapshot = (opened: Opened, giveBack: GiveBack): Snapshot => {
  opened.connection.exec('BEGIN');
  // The first read settles which commit is seen.
  const position = readPosition(opened);
  const aside = readAside(opened, position);
  return {
    position: () => position,
    follows: (earlier) => follows(opened, position, earlier),
    ...readLog(opened),
    settings: () => readSettings(opened),
    missing: (table, ids) => findMissing(opened, table, ids),
    faults: () => findFaults(opened.connection),
    announced: () => readAnnounced(opened),
    early: (options) => {
      const announced = readAnnounced(opened);
      const isKnown = announced !== null && follows(opened, position, announced);
      return readEarly(opened, isKnown ? announced : null, options);
    },
    setAside: aside.entries,
    lastGoodRow: aside.row,
    notTaken: () => readNotTaken(opened),
    ...readContent(opened, aside),
    ...readBodyBytes(opened),
    ...readRecords(opened.connection),
    close: () => giveBack(opened),
  };
};

const readPosition = (statements: Preparing): Position => {
  const state = statements.prepare('SELECT epoch FROM log_state WHERE id = 1').get() as
    | { epoch: string }
    | undefined;
  const last = statements
    .prepare('SELECT seq, hex(nonce) AS nonce FROM changes ORDER BY seq DESC LIMIT 1')
    .get() as { seq: number; nonce: string } | undefined;
  return { epoch: state?.epoch ?? '', seq: last?.seq ?? 0, nonce: last?.nonce ?? '' };
};

const follows = (statements: Preparing, now: Position, earlier: Position): boolean => {
  if (earlier.epoch !== now.epoch || earlier.seq > now.seq) return false;
  if (earlier.seq === 0) {
    const first = statements.prepare('SELECT min(seq) FROM changes').pluck().get() as number | null;
    return first === null || first <= 1;
  }
  const row = statements
    .prepare('SELECT hex(nonce) AS nonce FROM changes WHERE seq = ?')
    .get(earlier.seq) as { nonce: string } | undefined;
  return row?.nonce === earlier.nonce;
};

type Announced = Position & { readonly generation: number };

const readAnnounced = (statements: Preparing): Announced | null => {
  const row = statements
    .prepare(
      'SELECT epoch, seq, hex(nonce) AS nonce, generation FROM published_position WHERE id = 1',
    )
    .get() as Announced | undefined;
  return row ?? null;
};

const readSettings = (statements: Preparing): Map<string, string | null> => {
  const rows = statements.prepare('SELECT key, value FROM settings').all() as {
    key: string;
    value: unknown;
  }[];
  return new Map(rows.map(({ key, value }) => [key, value === null ? null : toText(value)]));
};

const readNotTaken = (statements: Preparing): NotTaken[] => {
  const rows = statements
    .prepare(
      `SELECT name, id, problem, since FROM followed_rows
       WHERE problem IS NOT NULL AND (
         json_extract(problem, '$.isOfImport')
         OR EXISTS (SELECT 1 FROM following WHERE detached_at IS NULL))
       ORDER BY since DESC, name, id`,
    )
    .all() as { name: string; id: string; problem: string; since: number }[];
  return rows.map(({ problem, ...row }) => ({
    ...row,
    ...parseStored(sourceProblem, problem, 'Why a row of the source was not taken'),
  }));
};

const readBodyBytes = ({ prepare }: Preparing): Pick<Snapshot, 'longestBodies'> => {
  const select = (and: string) => `SELECT octet_length(html) AS bytes FROM posts
    WHERE status = 'published' AND html IS NOT NULL ${and} ORDER BY bytes DESC LIMIT ?`;
  return {
    longestBodies: (ids, count) =>
      ids === 'all'
        ? (prepare(select('')).pluck().all(count) as number[])
        : (prepare(select('AND id IN (SELECT value FROM json_each(?))'))
            .pluck()
            .all(JSON.stringify(ids), count) as number[]),
  };
};
