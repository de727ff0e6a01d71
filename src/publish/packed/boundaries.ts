// Where blobs end. A record begins one where the lowest bits of a hash of its id are zero: boundaries depend on neither
// positions nor history, and no edit but of that record moves them. Counts and bytes bound what ids without such
// bits would make endless; there a blob ends counted from its beginning.

export type Level = {
  /** Of 2 to this power records, one begins a blob. */
  readonly bits: number;
  readonly recordsMax: number;
  readonly bytesMax: number;
};

export type Levels = {
  readonly leaf: Level;
  readonly card: Level;
  readonly plain: Level;
  readonly names: Level;
  /** Bits of `columns` hold for those that are closed, and of `openColumns` for the newest. */
  readonly columns: Level;
  readonly openColumns: Level;
  readonly titles: Level;
  readonly slugs: Level;
  readonly ids: Level;
  readonly terms: Level;
  /** Of directories: these of leaves, and of cards, plain texts and names. */
  readonly leafDirectory: Level;
  readonly directory: Level;
};

const BYTES_MAX = 512 * 1024;

const level = (bits: number, recordsMax: number, bytesMax = Number.POSITIVE_INFINITY): Level => ({
  bits,
  recordsMax,
  bytesMax,
});

/** 100,000 posts of 8 kB make some 16,500 blobs, the smallest answer reads four of them. */
export const LEVELS: Levels = {
  leaf: level(3, 32, BYTES_MAX),
  card: level(6, 256, BYTES_MAX),
  plain: level(7, 512, BYTES_MAX),
  names: level(10, 8_192),
  columns: level(13, 65_536),
  openColumns: level(10, 8_192),
  titles: level(10, 8_192),
  slugs: level(9, 4_096),
  ids: level(9, 4_096),
  terms: level(8, 1_024, BYTES_MAX),
  leafDirectory: level(10, 1_024),
  directory: level(13, 1_024),
};

/** FNV-1a, then mixed, so that the lowest bits are even for ids that count up. */
export const hashId = (id: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

export const opensAt = (id: string, { bits }: Level): boolean =>
  (hashId(id) & ((1 << bits) - 1)) === 0;
