// The port to the publishing database: reads, writes and snapshots. Every write goes through `write`, one
// transaction at a time; a snapshot sees one state of the database.
import type { PostgresPlace } from '../../settings/database-address.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Queryable, Transaction } from './db.ts';

export type { Queryable, Transaction };

export type WriteOptions = {
  /** Id of the admin save: its changes become one action (decisions, Publishing). */
  readonly action?: string;
  /**
   * The commit does not wait for the disk, so others wait less for the lock: a cut of power may take it back, together
   * with all later ones up to the next commit that waits.
   */
  readonly mayBeLost?: boolean;
  /** Of a publication in PostgreSQL: what is written is of this machine's file alone, such as its copy of the log. */
  readonly isOfFile?: boolean;
  /** Of a publication in PostgreSQL: nothing is written when another server leads by then (DATABASE_BUSY). */
  readonly asLeader?: boolean;
};

/** A server of a publication in PostgreSQL, as it last described itself. */
export type KnownServer = {
  readonly name: string;
  readonly version: string;
  readonly role: 'leader' | 'other' | 'reader';
  /** The newest commit that its tree shows. */
  readonly seq: number;
  /** Since the oldest commit that it does not show; null: it shows all. */
  readonly lagMs: number | null;
  /** How far its clock is ahead of PostgreSQL's. */
  readonly clockMs: number;
  /** Those that servers of one publication have in common. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Since its last sign of life. */
  readonly silentMs: number;
};

/** The servers of a publication in PostgreSQL; numbers are of commits. */
export type Servers = {
  /** The newest commit that is read here: a snapshot that is opened later shows it. */
  readonly seen: () => number;
  /** Resolves when what any server committed before is read here, or after a second. */
  readonly becomeCurrent: () => Promise<void>;
  /** Says which one the tree of this server shows. */
  readonly placed: (seq: number) => void;
  /** Says which settings this server has. */
  readonly describe: (settings: KnownServer['settings']) => void;
  /** Those that were seen in the last minutes, this one too; null: PostgreSQL does not answer. */
  readonly list: () => Promise<readonly KnownServer[] | null>;
  /** Names of the others that were seen lately and do not show that one yet. */
  readonly lacking: (seq: number) => Promise<readonly string[]>;
};

/** What one program takes of the deliveries that are due. */
export type Claim = {
  readonly owner: string;
  /** How many deliveries of which webhook to take at most. */
  readonly picks: readonly { readonly webhookId: string; readonly limit: number }[];
  /** Deliveries that the caller is trying already, whatever the clock says of their lease. */
  readonly except: readonly string[];
};

/** Functions that read see its newest commit. */
export type Store = Queryable & {
  /**
   * Path of the database file, or of the read model of a publication in PostgreSQL, for a thread that opens it; throws
   * DATABASE_BUSY when the file was replaced.
   */
  readonly path: string;
  /** This machine shows a publication that others change: it keeps notes of its builds alone. */
  readonly isReader: boolean;
  readonly servers: Servers;
  /** Where it is, for threads that open it, too; null: the file at the path is the publication. */
  readonly postgres: PostgresPlace | null;
  /**
   * Whether this program publishes what is due, announces, deploys and follows a source: of several servers on a
   * publication in PostgreSQL, one does.
   */
  readonly leads: () => boolean;
  /** The same for queries that may take long: they run on a thread of their own where one can be had. */
  readonly onThread: Queryable;
  /**
   * Runs `run` in one IMMEDIATE transaction; throws DATABASE_BUSY after five seconds of waiting, and when the
   * file was replaced: what is written to the old one would be lost.
   */
  readonly write: <T>(run: (tx: Transaction) => Promise<T>, options?: WriteOptions) => Promise<T>;
  /** Claims due deliveries among all servers, and answers their ids; null: they are claimed in a transaction. */
  readonly claim: ((claim: Claim, now: number) => Promise<string[]>) | null;
  /** Runs `run` while nothing is committed to the file. */
  readonly hold: <T>(run: () => Promise<T>) => Promise<T>;
  /**
   * A number that differs once any connection but the reader's has committed, or the file was replaced. Never
   * throws: what is wrong is said by whoever reads.
   */
  readonly dataVersion: () => number;
  /** Tells commits that are changes of the publication from others; asked when `dataVersion` differs. */
  readonly publicationMark: () => PublicationMark;
  /** Opens a read transaction on a connection of its own; the caller closes it. */
  readonly snapshot: () => Snapshot;
  /** Installs lost triggers again; true when some were lost, so that changes may be missing. */
  readonly mendTriggers: () => Promise<boolean>;
  /**
   * Opens the file that stands at the path when another one was put there by a rename, when its log was removed (what
   * is read here then becomes the file), or the index of its log; true then. Throws
   * DATABASE_MISSING when there is none, and what openStore throws; then nothing is open until it is called
   * again, and whatever reads or writes throws the same.
   */
  readonly reopenIfReplaced: () => Promise<boolean>;
  /** The program ends: what PostgreSQL does not answer within six seconds fails from now on. */
  readonly beginClosing: () => void;
  readonly close: () => Promise<void>;
};

/** What a cycle of the publisher depends on, in short: commits of deliveries are not in it. */
export type PublicationMark = {
  /** Another text once a change was logged, and when the log or the schema is another one. */
  readonly log: string;
  /** The announced one; another program's build moves it too. */
  readonly generation: number;
  /** What the clock is compared with, in milliseconds; null: nothing. */
  readonly announcedMs: number | null;
  /** All that is not announced yet is one save of an interface, which is whole. */
  readonly isOneSave: boolean;
};

export type OpenStoreOptions = {
  /** Makes the file when it is absent, or the tables of an empty database; otherwise absence is DATABASE_MISSING. */
  readonly create?: boolean;
  /** Where the publication is when it is not the file at the path; null or absent: it is. */
  readonly postgres?: PostgresPlace | null;
  /** Of a publication in PostgreSQL: the program announces what it publishes. Others leave that to one that leads. */
  readonly mayLead?: boolean;
  /** The bundled thread of `onThread`; null or absent: there is none. */
  readonly readWorker?: string | null;
  /** Takes a sentence about the file for its owner. */
  readonly onWarning?: (sentence: string) => void;
};
