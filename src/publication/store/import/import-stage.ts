// The port to where an import puts the rows of a file before it touches the publication. It keeps each
// table's rows in the order of the file, lets one row only have an id or a unique key, and remembers which rows
// were rejected. It needs no memory, whatever the size of the file. The JSON in it is this process's own: who reads it does
// not check it, for there are millions of rows.

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
  /** Gives a staged row another text; its keys and references stay. */
  readonly replace: (table: string, id: string, row: string) => void;
  readonly mark: (mark: Mark, table: string, ids: readonly string[]) => void;
  /** Those among `ids` that have the mark, or are staged. */
  readonly marked: (mark: Mark, table: string, ids: readonly string[]) => Set<string>;
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
 * e-mail only. `bodiless`: the post has an editor document, and no html made of it. `waiting`: the row was not taken as it
 * is, and may be later.
 */
export type Mark = 'rejected' | 'kept' | 'mailed' | 'bodiless' | 'waiting';
