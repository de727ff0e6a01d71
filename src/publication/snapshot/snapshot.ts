// The port through which builds and events read one state of the publication. All answers of one
// snapshot come from the same commit, whatever is written meanwhile.

import type { Resource } from '../../content/paths/endpoints.ts';
import type { EditorColumn, RecordTable } from '../tables/record-tables.ts';
import type { AuthorSource, PostSource, TagSource } from '../tables/rows.ts';
import type { TableRow } from '../tables/tables.ts';
import type { LastGoodRow, RecordHolder, SetAsideEntry } from './last-good-row.ts';
import type { NotTaken } from './source-problem.ts';

/** A place in the change log. `nonce` tells a row from another one that took its number later. */
export type Position = { readonly epoch: string; readonly seq: number; readonly nonce: string };

/** A row of the change log; see the migration for the meaning of its columns. */
export type Change = {
  readonly seq: number;
  readonly entity: string;
  readonly op: 'i' | 'u' | 'd' | 'r';
  readonly row_id: string;
  readonly record_id: string;
  readonly other_id: string | null;
  readonly old_record_id: string | null;
  readonly old_other_id: string | null;
  readonly action: string | null;
};

/** `documents` leaves out what reaches no document, such as changes of members. */
export type LogScope = 'all' | 'documents';

/** A change with the row before it, parsed. */
export type ChangeWithOld = Change & { readonly old: Readonly<Record<string, unknown>> | null };

/** What places a record: its addresses, and the order of the packed tree. */
export type RecordKey = {
  readonly id: string;
  readonly slug: string;
  /** When a post or page was published, in milliseconds; 0 of tags and authors. */
  readonly ms: number;
};

export type SourceOf = {
  readonly posts: PostSource;
  readonly pages: PostSource;
  readonly tags: TagSource;
  readonly authors: AuthorSource;
};

/** A whole row, without the editor's own columns of posts. */
export type RecordRow<T extends RecordTable> = Omit<TableRow<T>, EditorColumn>;

export type EarlyOptions = {
  readonly presentMs: number;
  /** Whether a post or page was shown; asked where the log does not tell. */
  readonly isShown: (id: string) => boolean;
};

export type Snapshot = {
  /** The newest change that this snapshot contains. */
  readonly position: () => Position;
  /** True when the log is unbroken from that position on. */
  readonly follows: (position: Position) => boolean;
  /** The log in parts, with a tick of the event loop between two of them; all of it if no scope is named. */
  readonly changesAfter: (seq: number, scope?: LogScope) => AsyncIterable<readonly Change[]>;
  /**
   * Posts and pages whose status differs from what it was before their first unlabelled change after `seq`, and published
   * ones that became e-mail only since, or ceased to be; `most` at most.
   */
  readonly statusChangesAfter: (seq: number, most: number) => readonly string[];
  /** Records with an unlabelled row in the table after `seq`. */
  readonly countUnlabelledAfter: (seq: number, table: RecordTable) => number;
  /** The row before one change; null for one that made its row. */
  readonly oldRow: (seq: number) => Readonly<Record<string, unknown>> | null;
  /** The newest state whose deliveries are queued; null when nobody has begun to announce. */
  readonly announced: () => Position | null;

  /** Records that are set aside, by id. Keys and sources are of the rows that are shown in their place. */
  readonly setAside: () => readonly SetAsideEntry[];
  /** The earlier row that is kept of such a record; null when nothing is shown of it. */
  readonly lastGoodRow: (entity: RecordHolder, id: string) => LastGoodRow | null;

  /** Rows of the source that is followed which are not taken as they are, and that a document may show. */
  readonly notTaken: () => readonly NotTaken[];

  readonly settings: () => ReadonlyMap<string, string | null>;
  /** Published posts and pages, and all tags and authors: about as many as are shown. */
  readonly countRecords: () => number;
  /** Bytes of the `count` longest bodies of those of these posts and pages that are published; no body is read for it. */
  readonly longestBodies: (ids: readonly string[] | 'all', count: number) => number[];
  /** Keys of all records that the content interface shows, in no order. */
  readonly keys: (resource: Resource) => RecordKey[];
  /** Keys of those among `ids` that the content interface shows. */
  readonly keysOf: (resource: Resource, ids: readonly string[]) => RecordKey[];
  /** Those of `ids` that no row has. Throws DATABASE_UNREADABLE when a damaged index hides one that stands. */
  readonly missing: (table: RecordHolder, ids: readonly string[]) => string[];
  /**
   * Ids of the posts and pages that somebody saved as published since the announced state, for a time after the
   * present. What was published before is not among them.
   */
  readonly early: (options: EarlyOptions) => readonly string[];
  /**
   * What the named records are rendered from, in the order of `ids`. Throws DATABASE_UNREADABLE for a post or
   * page that is not found; absent tags and authors are left out.
   */
  readonly sources: <R extends Resource>(resource: R, ids: readonly string[]) => SourceOf[R][];
  /** Tags or authors linked to any of these posts and pages, published or not. */
  readonly linkedTo: (resource: 'tags' | 'authors', postIds: readonly string[]) => string[];
  /** Published posts and pages linked to any of these tags or authors. */
  readonly linkedFrom: (resource: 'tags' | 'authors', ids: readonly string[]) => string[];
  /** Whole rows by id, or by the record they belong to (links, meta), in no order. */
  readonly rows: <T extends RecordTable>(
    table: T,
    ids: readonly string[] | 'all',
  ) => RecordRow<T>[];
  /** What is wrong with the database as a whole, its indexes included, in SQLite's words; reads all of it. */
  readonly faults: () => string[];

  readonly close: () => void;
};
