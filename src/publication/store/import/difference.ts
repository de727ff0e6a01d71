// What a look at a source found to differ from what was last taken: a SQLite file in the system's temporary folder, made with the
// first entry and removed by `close`. A source of any size needs no memory.
import { openScratch } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';

export type FollowedBlock = {
  /** Id of its last row. */
  readonly upto: string;
  /** The alternating ids and hashes of its rows, as a JSON array. */
  readonly rows: string;
};

/**
 * `changed`: new rows, too. `gone`: from the source. `unseen`: not shown any more by a source that does not show all.
 * `dropped`: blocks, by the id of their last row.
 */
export type DifferenceKind = 'changed' | 'gone' | 'unseen' | 'dropped';

export type Difference = {
  readonly add: (kind: DifferenceKind, table: string, ids: readonly string[]) => void;
  readonly addBlock: (table: string, block: FollowedBlock) => void;
  /** What is gone is only unseen. */
  readonly doubt: (table: string) => void;
  /** Those among a few ids that are in it. */
  readonly has: (kind: DifferenceKind, table: string, ids: readonly string[]) => Set<string>;
  readonly count: (kind: DifferenceKind, table: string) => number;
  /** In the order of the ids, a few hundred at a time. */
  readonly ids: (kind: DifferenceKind, table: string) => Iterable<string[]>;
  readonly blocks: (table: string) => Iterable<FollowedBlock[]>;
  /** Tables with anything in it. */
  readonly tables: () => ReadonlySet<string>;
  readonly close: () => void;
};

const SCHEMA = `
  CREATE TABLE ids (kind TEXT, name TEXT, id TEXT, PRIMARY KEY (kind, name, id)) WITHOUT ROWID;
  CREATE TABLE blocks (name TEXT, upto TEXT, rows TEXT, PRIMARY KEY (name, upto)) WITHOUT ROWID;
`;
const IDS_READ = 200;
const BLOCKS_READ = 20;

/** An empty one. */
export const openDifference = (): Difference => {
  let opened: Opened | null = null;
  const tables = new Set<string>();
  const open = (table: string): Opened => {
    tables.add(table);
    opened ??= openFile();
    return opened;
  };
  return {
    add: (kind, table, ids) => {
      if (ids.length > 0) open(table).add(kind, table, ids);
    },
    addBlock: (table, block) => open(table).addBlock(table, block),
    doubt: (table) => opened?.doubt(table),
    has: (kind, table, ids) => opened?.has(kind, table, ids) ?? new Set(),
    count: (kind, table) => opened?.count(kind, table) ?? 0,
    ids: (kind, table) => opened?.ids(kind, table) ?? [],
    blocks: (table) => opened?.blocks(table) ?? [],
    tables: () => tables,
    close: () => opened?.close(),
  };
};

type Opened = Omit<Difference, 'tables'>;

const openFile = (): Opened => {
  const { connection, close } = openScratch('difference', SCHEMA);
  const add = connection.prepare('INSERT OR IGNORE INTO ids (kind, name, id) VALUES (?, ?, ?)');
  const addBlock = connection.prepare('INSERT INTO blocks (name, upto, rows) VALUES (?, ?, ?)');
  const count = connection.prepare('SELECT count(*) FROM ids WHERE kind = ? AND name = ?').pluck();
  const doubt = connection.prepare(
    "UPDATE ids SET kind = 'unseen' WHERE kind = 'gone' AND name = ?",
  );
  const has = connection
    .prepare(
      'SELECT id FROM ids WHERE kind = ? AND name = ? AND id IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  const addAll = connection.transaction(
    (kind: DifferenceKind, table: string, ids: readonly string[]): void => {
      for (const id of ids) add.run(kind, table, id);
    },
  );
  return {
    add: (kind, table, ids) => addAll(kind, table, ids),
    addBlock: (table, { upto, rows }) => {
      addBlock.run(table, upto, rows);
    },
    doubt: (table) => {
      doubt.run(table);
    },
    has: (kind, table, ids) => new Set(has.all(kind, table, JSON.stringify(ids)) as string[]),
    count: (kind, table) => count.get(kind, table) as number,
    ids: (kind, table) => readIds(connection, kind, table),
    blocks: (table) => readBlocks(connection, table),
    close,
  };
};

function* readIds(
  connection: SqliteConnection,
  kind: DifferenceKind,
  table: string,
): Generator<string[]> {
  const page = (after: '>=' | '>') =>
    connection
      .prepare(
        `SELECT id FROM ids WHERE kind = ? AND name = ? AND id ${after} ? ORDER BY id LIMIT ${IDS_READ}`,
      )
      .pluck();
  const next = page('>');
  // A row of a source may have an empty id.
  let ids = page('>=').all(kind, table, '') as string[];
  for (let last = ids.at(-1); last !== undefined; last = ids.at(-1)) {
    yield ids;
    ids = next.all(kind, table, last) as string[];
  }
}

function* readBlocks(connection: SqliteConnection, table: string): Generator<FollowedBlock[]> {
  const page = (after: '>=' | '>') =>
    connection.prepare(
      `SELECT upto, rows FROM blocks WHERE name = ? AND upto ${after} ? ORDER BY upto LIMIT ${BLOCKS_READ}`,
    );
  const next = page('>');
  let blocks = page('>=').all(table, '') as FollowedBlock[];
  for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
    yield blocks;
    blocks = next.all(table, last.upto) as FollowedBlock[];
  }
}
