// What the packed tree is made of: one value for each record, and for each tag or author, as rendered. The packer knows
// no row, no setting and no file of the interface.

export type RecordKey = {
  /** When the record was published, in milliseconds. */
  readonly ms: number;
  /** 24 hex digits. */
  readonly id: string;
};

/** A post or page. */
export type PackedRecord = RecordKey & {
  readonly created: number;
  readonly updated: number;
  /** Bits as content/tree/tree.ts has them. */
  readonly flags: number;
  /** Ids in the order of the record's links. */
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  /** Names of the tiers that it shows; absent in trees without tiers. */
  readonly tiers?: readonly string[] | undefined;
  readonly title: string;
  readonly slug: string;
  readonly uuid: string;
  /** The record as JSON, without related data. */
  readonly line: Uint8Array;
  /** The same without `html`. */
  readonly card: Uint8Array;
  /** Its plain text as JSON: a string or null. */
  readonly plain: Uint8Array;
};

/** What finds a record in the tree again. */
export type PackedPlace = RecordKey & { readonly title: string; readonly slug: string };

/** A record that came (`before` is null), changed, or went (`after` is null). */
export type RecordEdit = {
  readonly before: PackedPlace | null;
  readonly after: PackedRecord | null;
};

/** A tag or author. */
export type PackedTerm = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Of authors `public`. */
  readonly visibility: string;
  /** Posts that are shown and have it. */
  readonly posts: number;
  /** The record as JSON, without its count. */
  readonly line: string;
  /** As it stands inside a post, as JSON. */
  readonly embedded: string;
};
