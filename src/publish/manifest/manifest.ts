// The port to the build database: what was written to the output tree, and from which state of the
// publication. It is the program's own and can be made again by a full build.
import type { Resource } from '../../content/paths/endpoints.ts';
import type { BlobName } from '../../content/tree/tree.ts';
import type { Position, RecordKey } from '../../publication/snapshot/snapshot.ts';

/** What is kept of one record; it stands for all its files. */
export type RecordEntry = RecordKey & {
  readonly segment: string;
  /** Fold of the slug: records with one fold cannot stand beside each other as plain names. */
  readonly fold: string;
  /** Of posts and pages: what the order of titles has of it. */
  readonly title: string;
  /** What the packed tree has of the record: `packOf` in build/. */
  readonly pack: Buffer;
  /** Bytes of each record variant's fragment. */
  readonly sizes: readonly number[];
  /** SHA-256 of each record variant's file. */
  readonly hashes: readonly Buffer[];
};

export type BlobEntry = {
  readonly name: BlobName;
  readonly size: number;
  readonly sha256: Buffer;
};

/** A blob that no generation since then has; it stays a while for readers that are under way. */
export type ReplacedBlob = BlobEntry & { readonly replacedAt: number };

/** A file that is not a record's: a list, the settings, the summary. */
export type FileEntry = {
  /** Relative to the content folder. */
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** Identity of the file as it was written: another one is not trusted to hold these bytes. */
  readonly statKey: string;
};

export type ManifestState = {
  /** The content folder that this manifest describes. */
  readonly root: string;
  readonly fingerprint: string;
  readonly position: Position;
  /** Number of the newest build that changed a byte. */
  readonly generation: number;
};

export type ManifestFile = {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
};

export type Manifest = {
  /** The state that the tree was brought to; null when there is none or a build broke off. */
  readonly state: () => ManifestState | null;
  /** Another text once any program has begun or ended a build: until then the tree is as it was. */
  readonly version: () => string;
  /** Number of the newest build that changed a byte, also after one that broke off; 0 for none. */
  readonly generation: () => number;
  readonly entries: (
    resource: Resource,
    ids: readonly string[],
  ) => ReadonlyMap<string, RecordEntry>;
  /** Records whose slug has one of these folds. */
  readonly sameFold: (resource: Resource, folds: readonly string[]) => RecordEntry[];
  /** Segment of a slug that is stored under another name: its hash, or its normal form. */
  readonly storedSegment: (resource: Resource, slug: string) => string | undefined;
  /** Every slug that is stored under another name. */
  readonly storedSegments: () => { resource: Resource; slug: string; segment: string }[];
  readonly count: (resource: Resource) => number;
  /** Every record's id and the path segment of its slug, by id. */
  readonly segments: (resource: Resource) => { id: string; segment: string }[];
  /** True when a blob is in the tree, of this generation or an earlier one. */
  readonly hasBlob: (name: BlobName) => boolean;
  readonly blobNames: () => BlobName[];
  readonly replacedBlobs: () => ReplacedBlob[];
  /** Names of those that were replaced by then. */
  readonly blobsReplacedBy: (ms: number) => BlobName[];
  readonly files: () => Iterable<FileEntry>;
  readonly file: (path: string) => FileEntry | undefined;
  /** Bytes of the longest blob of this generation, and of the longest file that is no record's; 0 for none. */
  readonly longest: () => { readonly blobBytes: number; readonly fileBytes: number };
  /** Every file of the tree, records' files included. */
  readonly allFiles: () => Iterable<ManifestFile>;
  /** The sha-256 of any file of the tree, by its path. */
  readonly hashOf: (path: string) => Buffer | undefined;

  /** Says that the tree, as it is, also shows a later state of the publication, or has a later generation. */
  readonly moveTo: (position: Position, generation?: number) => void;
  /** Says durably that the tree is about to change: until `commit`, there is no state. */
  readonly begin: () => void;
  readonly putEntry: (resource: Resource, entry: RecordEntry) => void;
  readonly removeEntry: (resource: Resource, id: string) => void;
  readonly putFile: (file: FileEntry) => void;
  readonly removeFile: (path: string) => void;
  /** A blob of this generation. */
  readonly putBlob: (blob: BlobEntry) => void;
  /** One that was replaced before keeps its time. */
  readonly markReplaced: (name: BlobName, nowMs: number) => void;
  readonly removeBlob: (name: BlobName) => void;
  /** Forgets every single file; they are put again by a full build. */
  readonly clearFiles: () => void;
  readonly commit: (state: ManifestState) => void;
  /** Undoes what was put since `begin`; the tree counts as broken off unless it was never touched. */
  readonly rollback: (options: { readonly treeUntouched: boolean }) => void;
  /** Opens the file that stands at the path when another one, or none, is there; true then. */
  readonly reopenIfReplaced: () => boolean;
  /** Starts anew when the file is no whole database any more; true then. */
  readonly remakeIfDamaged: () => boolean;
  readonly close: () => void;
};

export type ManifestOptions = {
  /** Told when a damaged file was given up, with the reason. */
  readonly onRemade?: (path: string, reason: string) => void;
};
