// The port to a publication that lives elsewhere: what an import or a follower may ask of it. One folder
// beside this file for each kind of source. A source is never written to, and knows nothing of our tables:
// it hands out Ghost's rows under Ghost's names.

/** A row of a table of Ghost, keys in snake_case. Columns that the source lacks, or was not asked for, may be absent. */
export type RawRow = Readonly<Record<string, unknown>>;

/**
 * Columns that tell something of a row and are none of Ghost's:
 * `if_new` holds columns for a row that the publication does not have yet, and that keep their values in one it has;
 * `shows_part` says of a post that its body may be only what everyone may read.
 */
export const OF_ROWS = { ifNew: 'if_new', showsPart: 'shows_part' } as const;

/** Ends a body of which only the part before it is shown; Ghost's own paywall card writes the same. */
export const PAYWALL = '<!--members-only-->';

/** Stands for a body of which nothing is shown and nothing known: no paywall is in it. */
export const WITHHELD = '<!--not shown-->';

/** Ends a body for everyone of which blocks for members were left out: a block without anything in it. */
export const LEFT_OUT = '<!--kg-gated-block:begin nonMember:false--><!--kg-gated-block:end-->';

export type Source = {
  /** What messages and logs call it: a path or an address, never with a password or key. */
  readonly name: string;
  /** Paths of files that are written when something is committed; absent where none are. */
  readonly files?: readonly string[];
  /**
   * Cheap. Equal to an earlier answer only when surely nothing was committed in between; null where that
   * cannot be known. Ask before `open`, so that what is committed in between is noticed by the next one.
   */
  readonly fingerprint: () => Promise<string | null>;
  /**
   * One consistent state, whatever is committed meanwhile. Throws IMPORT_UNREADABLE or, of an export,
   * IMPORT_NOT_AN_EXPORT; else one of the SOURCE_ codes. One state is open at a time.
   */
  readonly open: () => Promise<SourceState>;
  /** What the source calls a row by, after it was read, where the id is not its own. */
  readonly ownId?: (id: string) => string | undefined;
  /** What this kind of source cannot know, a sentence each; an import warns of it. */
  readonly unknown?: readonly string[];
  /** What whoever begins to follow it should know, in a sentence. */
  readonly notice?: string;
  /** Closes an open state, too. */
  readonly close: () => Promise<void>;
};

export type SourceState = {
  /** Of Ghost, as `6.65.0`, or `6.65` of a database; null where it is known only after rows were read to the end. */
  readonly version: string | null;
  /**
   * The present by the clock of the source, in milliseconds; of an export, when it was made. Asked after the rows were read;
   * null: not known.
   */
  readonly nowMs: () => Promise<number | null>;
  /**
   * Rows of the wanted tables, streamed in batches of bounded size, each table once, in an order that suits the
   * source. A table that the source knows of has at least one batch, which may be empty; a table without
   * a batch is not known, which is not the same as empty. Tables that nobody asked for may come, too. Ends after
   * all rows or throws: IMPORT_CUT_OFF, SOURCE_LOST and so on; a caller keeps rows aside until the end.
   */
  readonly rows: (wanted: readonly Wanted[]) => AsyncIterable<RowBatch>;
  /**
   * As `rows`, but of each row only its id and a hash; `ids` are not looked at. The rows of a table come in the
   * order of their ids, compared as bytes, so that a caller can merge them with what it knows and keep neither.
   */
  readonly rowHashes: (wanted: readonly Wanted[]) => AsyncIterable<RowHashBatch>;
  /**
   * Versions of whole tables, for less than reading them costs: equal to an earlier one of the same `Source` only when
   * surely no row has become another one in the wanted columns. A table without a version has to be read.
   */
  readonly tableVersions?: (wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * False where a row that is absent may yet exist (the members of an export), so that nothing may be
   * deleted for its absence. Asked after the hashes or rows of the table were read.
   */
  readonly isWhole: (table: string) => boolean;
  /** True where a row that went may only be out of sight (a post that was unpublished). */
  readonly hides?: (table: string) => boolean;
  /** What to say where posts have other addresses there than these permalinks give; null: nothing. Asked after the rows were read. */
  readonly addressWarning?: (permalinks: string) => string | null;
  readonly close: () => Promise<void>;
};

export type Wanted = {
  /** Ghost's name of it. */
  readonly table: string;
  /** Only rows with these ids, any number of them. */
  readonly ids?: readonly string[];
  /** Columns that matter; the source may give more. All when left out. */
  readonly columns?: readonly string[];
};

type Batch = {
  readonly table: string;
  /** How much of all that was asked for has been handed out with this batch: 0 to 1. */
  readonly share: number;
};

export type RowBatch = Batch & { readonly rows: readonly unknown[] };

export type RowHashBatch = Batch & { readonly rowHashes: readonly RowHash[] };

export type RowHash = {
  readonly id: string;
  /**
   * Equal to an earlier hash only when the row is surely the same in the wanted columns. Without reading
   * bodies: a row that was changed a moment ago has another hash each time, until its time of change is old
   * enough to tell.
   */
  readonly hash: string;
};
