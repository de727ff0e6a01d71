// Where an import puts the rows of a file before it touches the publication: a SQLite file in the system's temporary folder,
// removed by `close`. It keeps each table's rows in the order of the file, lets one row only have an id or a unique key, and
// remembers which rows were rejected. A file of any size needs no memory. The JSON in it is this process's own: who reads it
// does not check it, for there are millions of rows.
import { openScratch, type Scratch } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';

export type StagedRow = {
  readonly id: string;
  /** Unique keys, null where a row has none: no other row of the table may have the same. */
  readonly keys: readonly (string | null)[];
  /** Values of the columns that refer to other rows. */
  readonly references: readonly (string | null)[];
  /** The row as JSON. */
  readonly row: string;
};

export type RowKeys = Omit<StagedRow, 'row'>;

/** What stood in the way of a row: the row that came first, and by which of the keys (-1: the id). */
export type Collision = { readonly id: string; readonly key: number };

export type Stage = {
  /** Says that the file has this table, with or without rows. */
  readonly declare: (table: string) => void;
  readonly declares: (table: string) => boolean;
  /** Adds a row; returns what it collides with when it cannot. */
  readonly add: (table: string, row: StagedRow) => Collision | null;
  /** Keeps a row for `finish`, which adds it unless another row has its key by then. */
  readonly addLate: (table: string, row: StagedRow) => void;
  /** Ends the adding; returns how many late rows of each table were added. */
  readonly finish: () => ReadonlyMap<string, number>;
  /** Takes back what was noted, marked and replaced since the last call. */
  readonly restart: () => void;
  /** Gives a staged row another text; its keys and references stay. */
  readonly replace: (table: string, id: string, row: string) => void;
  readonly flag: (flag: StageFlag, table: string, ids: readonly string[]) => void;
  /** Those among `ids` that have the flag. */
  readonly flagged: (flag: StageFlag, table: string, ids: readonly string[]) => Set<string>;
  readonly staged: (table: string, ids: readonly string[]) => Set<string>;
  /** Keeps a text about a row, the first one of each. */
  readonly note: (table: string, id: string, text: string) => void;
  readonly notes: (table: string, ids: readonly string[]) => Map<string, string>;
  /** Ids of all rows of the table that have such a text. */
  readonly noted: (table: string) => string[];
  readonly rowKeys: (table: string) => Iterable<RowKeys[]>;
  readonly rows: (table: string) => Iterable<{ readonly id: string; readonly row: string }[]>;
  readonly close: () => void;
};

/**
 * `rejected`: the row is not taken. `kept`: the row of the publication belongs to the import. `mailed`: the post is
 * e-mail only. `described`: the source has a row of posts_meta for the post, taken or not. `bodiless`: the post has an
 * editor document, and no html made of it. `waiting`: the row was not taken as it is, and may be later.
 */
export type StageFlag = 'rejected' | 'kept' | 'mailed' | 'described' | 'bodiless' | 'waiting';

const KEYS_MAX = 3;
const BATCH_ROWS_MAX = 200;
const BATCH_CHARS_MAX = 1_000_000;
const COMMIT_ROWS = 2_000;

const SCHEMA = `
  CREATE TABLE late (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, staged TEXT NOT NULL);
  CREATE TABLE flags (flag TEXT, name TEXT, id TEXT, PRIMARY KEY (flag, name, id)) WITHOUT ROWID;
  CREATE TABLE notes (name TEXT, id TEXT, text TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID;
`;

/** An empty one. */
export const openStage = (): Stage => makeStage(openScratch('import', SCHEMA));

const makeStage = ({ connection, close }: Scratch): Stage => {
  const tables = new Set<string>();
  const declared = new Set<string>();
  const batcher = makeBatcher(connection);
  const commit = (): void => {
    if (connection.inTransaction) connection.exec('COMMIT');
  };
  const add = makeAdd(connection, batcher);
  const late = connection.prepare('INSERT INTO late (name, staged) VALUES (?, ?)');
  const make = (table: string): void => {
    if (tables.has(table)) return;
    tables.add(table);
    connection.exec(
      `CREATE TABLE "${table}" (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
       ${range(KEYS_MAX)
         .map((key) => `k${key} TEXT UNIQUE, `)
         .join('')} "references" TEXT NOT NULL, row TEXT NOT NULL)`,
    );
  };
  const declare = (table: string): void => {
    declared.add(table);
    make(table);
  };
  return {
    declare,
    declares: (table) => declared.has(table),
    add: (table, row) => {
      declare(table);
      return add(table, row);
    },
    addLate: (table, row) => {
      batcher.count();
      late.run(table, JSON.stringify(row));
    },
    finish: () => {
      const added = new Map<string, number>();
      for (const { table, row } of readLate(connection)) {
        make(table);
        if (add(table, row) === null) added.set(table, (added.get(table) ?? 0) + 1);
      }
      commit();
      return added;
    },
    restart: () => {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      connection.exec('BEGIN');
    },
    replace: (table, id, row) =>
      connection.prepare(`UPDATE "${table}" SET row = ? WHERE id = ?`).run([row, id]),
    ...makeFlags(connection, tables),
    ...makeNotes(connection),
    rowKeys: (table) => (tables.has(table) ? readRowKeys(connection, table) : []),
    rows: (table) => (tables.has(table) ? readRows(connection, table) : []),
    close,
  };
};

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

type Batcher = { readonly count: () => void };

/** Commits now and then, so that the scratch file's log stays small. */
const makeBatcher = (connection: SqliteConnection): Batcher => {
  let rows = 0;
  return {
    count: () => {
      rows += 1;
      if (connection.inTransaction && rows % COMMIT_ROWS === 0) connection.exec('COMMIT');
      if (!connection.inTransaction) connection.exec('BEGIN');
    },
  };
};

const makeAdd = (connection: SqliteConnection, batcher: Batcher) => {
  const keyNames = range(KEYS_MAX).map((key) => `k${key}`);
  const marks = keyNames.map(() => '?').join(', ');
  const statements = prepareOnce(
    connection,
    (table) => `INSERT INTO "${table}" (id, ${keyNames.join(', ')}, "references", row)
                VALUES (?, ${marks}, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return (table: string, staged: StagedRow): Collision | null => {
    batcher.count();
    const keys = keyNames.map((_, index) => staged.keys[index] ?? null);
    const references = JSON.stringify(staged.references);
    const result = statements(table).run([staged.id, ...keys, references, staged.row]);
    if (result.changes === 1) return null;
    for (const [key, column] of ['id', ...keyNames].entries()) {
      const value = key === 0 ? staged.id : keys[key - 1];
      const row = connection
        .prepare(`SELECT id FROM "${table}" WHERE "${column}" = ?`)
        .get(value) as { id: string } | undefined;
      if (row !== undefined) return { id: row.id, key: key - 1 };
    }
    return null;
  };
};

const prepareOnce = (connection: SqliteConnection, sqlOf: (table: string) => string) => {
  const statements = new Map<string, ReturnType<SqliteConnection['prepare']>>();
  return (table: string): ReturnType<SqliteConnection['prepare']> => {
    const known = statements.get(table);
    if (known !== undefined) return known;
    const statement = connection.prepare(sqlOf(table));
    statements.set(table, statement);
    return statement;
  };
};

function* readLate(connection: SqliteConnection): Generator<{ table: string; row: StagedRow }> {
  const page = connection.prepare('SELECT seq, name, staged FROM late WHERE seq > ? LIMIT 200');
  let after = 0;
  for (;;) {
    const rows = page.all(after) as { seq: number; name: string; staged: string }[];
    if (rows.length === 0) return;
    for (const { seq, name, staged } of rows) {
      after = seq;
      yield { table: name, row: JSON.parse(staged) as StagedRow };
    }
  }
}

const makeFlags = (
  connection: SqliteConnection,
  tables: ReadonlySet<string>,
): Pick<Stage, 'flag' | 'flagged' | 'staged'> => {
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO flags (flag, name, id) VALUES (?, ?, ?)',
  );
  const list = (ids: readonly string[]): string => JSON.stringify(ids);
  const isFlagged = connection
    .prepare(
      `SELECT id FROM flags WHERE flag = ? AND name = ? AND id IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const isStaged = prepareOnce(
    connection,
    (table) => `SELECT id FROM "${table}" WHERE id IN (SELECT value FROM json_each(?))`,
  );
  return {
    flag: (flag, table, ids) => {
      const alone = !connection.inTransaction && ids.length > 1;
      if (alone) connection.exec('BEGIN');
      for (const id of ids) insert.run(flag, table, id);
      if (alone) connection.exec('COMMIT');
    },
    flagged: (flag, table, ids) => new Set(isFlagged.all(flag, table, list(ids)) as string[]),
    staged: (table, ids) =>
      tables.has(table) && ids.length > 0
        ? new Set((isStaged(table).all(list(ids)) as { id: string }[]).map(({ id }) => id))
        : new Set(),
  };
};

const makeNotes = (connection: SqliteConnection): Pick<Stage, 'note' | 'notes' | 'noted'> => {
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO notes (name, id, text) VALUES (?, ?, ?)',
  );
  const select = connection.prepare(
    'SELECT id, text FROM notes WHERE name = ? AND id IN (SELECT value FROM json_each(?))',
  );
  const ids = connection.prepare('SELECT id FROM notes WHERE name = ? ORDER BY id').pluck();
  return {
    noted: (table) => ids.all(table) as string[],
    note: (table, id, text) => insert.run(table, id, text),
    notes: (table, ids) => {
      const found = select.all(table, JSON.stringify(ids)) as { id: string; text: string }[];
      return new Map(found.map(({ id, text }) => [id, text]));
    },
  };
};

function* readRowKeys(connection: SqliteConnection, table: string): Generator<RowKeys[]> {
  type RowHash = Record<string, string | null> & { seq: number; id: string; references: string };
  const keyNames = range(KEYS_MAX).map((key) => `k${key}`);
  const page = connection.prepare(
    `SELECT seq, id, ${keyNames.join(', ')}, "references" FROM "${table}"
     WHERE seq > ? ORDER BY seq LIMIT ${BATCH_ROWS_MAX}`,
  );
  let after = 0;
  for (;;) {
    const rows = page.all(after) as RowHash[];
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
    yield rows.map((row) => ({
      id: row.id,
      keys: keyNames.map((name) => row[name] ?? null),
      references: JSON.parse(row.references) as (string | null)[],
    }));
  }
}

function* readRows(
  connection: SqliteConnection,
  table: string,
): Generator<{ id: string; row: string }[]> {
  type Staged = { seq: number; id: string; row: string };
  const select = connection.prepare(
    `SELECT seq, id, row FROM "${table}" WHERE seq > ? ORDER BY seq`,
  );
  let after = 0;
  for (;;) {
    const batch: Staged[] = [];
    let chars = 0;
    for (const row of select.iterate(after) as Iterable<Staged>) {
      batch.push(row);
      after = row.seq;
      chars += row.row.length;
      if (batch.length >= BATCH_ROWS_MAX || chars >= BATCH_CHARS_MAX) break;
    }
    if (batch.length === 0) return;
    yield batch;
  }
}
