// The packed tree as a reader finds it (decisions, Queries): one mutable root, and below it blobs, immutable files
// that are named after their bytes. Only this file, and the encoders that write what it describes, know the form.
// Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
//
// The records of a collection (posts, pages) stand in the order of (published time, id), newest first; that is also the
// order of every blob, and of the entries in directories and in the root. Where a blob ends depends on the ids of
// records alone, so blobs of different families do not end at the same records.

/** Raised when a reader of the former format would misread a tree. */
export const TREE_FORMAT = 1;

/**
 * Name of a blob: the first 128 bits of the SHA-256 of its bytes, as 32 hex digits, and `.txt` for JSON or lines of
 * JSON, `.bin` for columns.
 */
export type BlobName = string;

/** A blob, its number of records, and the key of its oldest record. */
export type Entry = readonly [name: BlobName, records: number, ms: number, id: string];

/** A run of columns: three blobs, their number of records, and the key of the oldest. */
export type ColumnsEntry = readonly [
  facets: BlobName,
  times: BlobName,
  updated: BlobName,
  records: number,
  ms: number,
  id: string,
];

/** A blob of an index, its number of entries, and the first of them: a slug, an id or a title, and the id. */
export type IndexEntry = readonly [name: BlobName, entries: number, first: string, id: string];

export type Collection = {
  readonly total: number;
  /** Directories of leaves: whole records. */
  readonly leaves: readonly Entry[];
  /** Directories of cards: records without `html`. */
  readonly cards: readonly Entry[];
  /** Directories of plain texts. */
  readonly plain: readonly Entry[];
  /** Directories of names: titles, slugs and UUIDs. */
  readonly names: readonly Entry[];
  readonly columns: readonly ColumnsEntry[];
  /** Directory of the order of titles; null for an empty collection. */
  readonly titles: BlobName | null;
  /** Directory of slugs; null for an empty collection. */
  readonly slugs: BlobName | null;
  /** Directory of ids; null for an empty collection. */
  readonly ids: BlobName | null;
};

/** What posts and pages show of other records. */
export type Embedding = {
  /** Blobs of embedded shapes in the order of ids: lines of the id and JSON, without anything between them. */
  readonly embedded: readonly (readonly [name: BlobName, records: number])[];
};

/** Tags or authors. */
export type Terms = Embedding & {
  readonly total: number;
  /** {@link TermKeys} as JSON, in the order of names. */
  readonly keys: BlobName;
  /** How many posts each has, in the same order: a JSON array of numbers. */
  readonly counts: BlobName;
  /** Blobs of records in the same order, one line of JSON each. */
  readonly records: readonly (readonly [name: BlobName, records: number])[];
};

export type TermKeys = {
  readonly id: readonly string[];
  readonly slug: readonly string[];
  readonly name: readonly string[];
  /** Authors are public. */
  readonly visibility: readonly string[];
};

export type Root = {
  readonly format: number;
  /** The setting `lists.max`: the limit of every query. */
  readonly max: number;
  /**
   * Of a tree in Ghost's shape: there plain texts stand before the key `feature_image` and related data before `url`. Absent:
   * they stand at the end of records, and no tiers are shown.
   */
  readonly tiers?: Embedding;
  readonly posts: Collection;
  readonly pages: Collection;
  readonly tags: Terms;
  readonly authors: Terms;
};

/** Stand for ids of tiers: of all of them, and of all paid ones. */
export const ALL_TIERS = '000000000000000000000000';
export const PAID_TIERS = '000000000000000000000001';

/** A directory of chunks: JSON of their entries. */
export type Directory = readonly Entry[];

/** A directory of an index: JSON of its entries. */
export type IndexDirectory = readonly IndexEntry[];

/**
 * The first line of leaves, cards and plain texts; a line for each record follows, newest first. Lines of plain texts
 * are a JSON string, or `null` of a record without a body, of one that has the text among its own keys, and in Ghost's
 * shape of one without a text. Plain texts and names have no links.
 */
export type ChunkHead = {
  readonly ms: readonly number[];
  readonly id: readonly string[];
  /** Ids of tags, in their order. */
  readonly t?: readonly (readonly string[])[];
  /** Ids of authors, in their order. */
  readonly a?: readonly (readonly string[])[];
  /** Ids of paid tiers, or what stands for several, in Ghost's shape. */
  readonly p?: readonly (readonly string[])[];
};

/** A blob of names: JSON. */
export type Names = {
  readonly ms: readonly number[];
  readonly id: readonly string[];
  readonly title: readonly string[];
  readonly slug: readonly string[];
  readonly uuid: readonly string[];
};

/** A blob of the slugs' index: JSON, in the order of slugs (UTF-16 units), then of ids. */
export type Slugs = {
  readonly slug: readonly string[];
  readonly id: readonly string[];
  readonly ms: readonly number[];
};

/** A blob of the ids' index: JSON, in the order of ids. */
export type Ids = { readonly id: readonly string[]; readonly ms: readonly number[] };

/** A blob of the order of titles: JSON, by Intl.Collator('en') and then by id. */
export type Titles = {
  readonly title: readonly string[];
  readonly id: readonly string[];
  readonly ms: readonly number[];
};

/** Bits of `flags` in facets. */
export const FEATURED_BIT = 1;
/** Two bits: an index of VISIBILITIES. */
export const VISIBILITY_SHIFT = 1;
export const VISIBILITIES = ['public', 'members', 'paid', 'tiers'] as const;
/** Columns that may be null, each with the bit that is set when it is not. */
export const NULLABLE_SHIFT = 3;
export const NULLABLE = [
  'html',
  'feature_image',
  'feature_image_alt',
  'feature_image_caption',
  'custom_excerpt',
  'codeinjection_head',
  'codeinjection_foot',
  'custom_template',
  'canonical_url',
  'og_image',
  'og_title',
  'og_description',
  'twitter_image',
  'twitter_title',
  'twitter_description',
  'meta_title',
  'meta_description',
  'email_subject',
] as const;

/**
 * Facets, little-endian: seven 32-bit numbers (magic, records, tags in the dictionary, authors in it, links to tags,
 * links to authors, bytes of a code: 2 or 4) and one that is 0; 32-bit flags of each record; 32-bit numbers of tags of
 * each record, then of authors; codes of all tags, then of all authors, record after record; ids of the dictionaries as
 * 12 bytes each, in the order of ids. A code is an index into its dictionary.
 */
export const FACETS_MAGIC = 0x31465050;
export const FACETS_HEAD_BYTES = 32;
/** Times: published and created as 64-bit floats (milliseconds), column after column, then ids as 12 bytes. */
export const TIMES_RECORD_BYTES = 28;
export const ID_BYTES = 12;
// Updated: 64-bit floats (milliseconds).
