// What a database has to offer so that Ghost's rows can be read from it: one snapshot, in plain queries.
import type { RawRow } from '../source.ts';

export type Query = {
  readonly table: string;
  /** Names that the table has; all when left out. */
  readonly columns?: readonly string[];
  readonly ids?: readonly string[];
  /** In the order of their ids; else in that of the database. */
  readonly isOrdered?: boolean;
};

export type DatabaseReader = {
  /** Tables of the database, each with its columns in their order. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly count: (table: string) => Promise<number>;
  /** Rows in batches of bounded size: texts, numbers and null; times as texts in UTC. */
  readonly read: (query: Query) => AsyncIterable<readonly RawRow[]>;
  /** See SourceState; by the columns of the queries. */
  readonly tableVersions: (queries: readonly Query[]) => Promise<ReadonlyMap<string, string>>;
  /** Throws SOURCE_NO_PERMISSION when a table or column that `tables` lacks is only not shown to this user. */
  readonly throwIfHidden: (table: string, column?: string) => Promise<void>;
  /** The clock of the database. */
  readonly nowMs: () => Promise<number>;
  readonly close: () => Promise<void>;
};

const BATCH_ROWS_MAX = 500;
const BATCH_CHARS_MAX = 1_000_000;

/** Gathers rows into batches that neither many nor long rows make large. */
export const createBatch = () => {
  let rows: RawRow[] = [];
  let chars = 0;
  return {
    /** Returns the batch when it is full. */
    add: (row: RawRow): readonly RawRow[] | null => {
      rows.push(row);
      for (const name in row) {
        const value = row[name];
        if (typeof value === 'string') chars += value.length;
      }
      return rows.length >= BATCH_ROWS_MAX || chars >= BATCH_CHARS_MAX ? take() : null;
    },
    rest: (): readonly RawRow[] => take(),
  };

  function take(): readonly RawRow[] {
    const full = rows;
    rows = [];
    chars = 0;
    return full;
  }
};
