// The chunks of a family in their order, grouped as its directories have them. A directory is read when one of its chunks
// is asked for. After edits, the directories that they touched are cut anew.
import type { Piece } from './family.ts';

/** Where a chunk stands: its directory, and its place in that. */
export type Place = { readonly directory: number; readonly at: number };

export type Group<Key> = {
  /** How the root has the directory; null: it has none. */
  readonly piece: Piece<Key> | null;
  /** Its chunks are not those that the directory names any more. */
  isTouched: boolean;
  /** Null until it is read. */
  chunks: Piece<Key>[] | null;
};

export class PieceList<Key> {
  readonly groups: Group<Key>[];
  readonly #compare: (one: Key, other: Key) => number;
  readonly #read: (directory: Piece<Key>) => Piece<Key>[];

  constructor(
    directories: readonly Piece<Key>[],
    tools: {
      readonly compare: (one: Key, other: Key) => number;
      readonly read: (directory: Piece<Key>) => Piece<Key>[];
    },
  ) {
    this.groups = directories.map((piece) => ({ piece, isTouched: false, chunks: null }));
    this.#compare = tools.compare;
    this.#read = tools.read;
  }

  /** A family without directories. */
  static of<Key>(
    chunks: readonly Piece<Key>[],
    compare: (one: Key, other: Key) => number,
  ): PieceList<Key> {
    const list = new PieceList<Key>([], { compare, read: () => [] });
    list.groups.push({ piece: null, isTouched: false, chunks: [...chunks] });
    return list;
  }

  /** The last chunk that begins at the key or before; if there is none, the first one. */
  find(key: Key): Place {
    let directory = -1;
    for (const [index, group] of this.groups.entries()) {
      const start = this.#startOf(group);
      if (start === null) continue;
      if (directory !== -1 && this.#compare(start, key) > 0) break;
      directory = index;
    }
    if (directory === -1) return { directory: 0, at: 0 };
    const chunks = this.chunksOf(directory);
    let at = 0;
    while (at + 1 < chunks.length) {
      const next = chunks[at + 1] as Piece<Key>;
      if (this.#compare(next.key, key) > 0) break;
      at += 1;
    }
    return { directory, at };
  }

  chunkAt({ directory, at }: Place): Piece<Key> | undefined {
    return directory < this.groups.length ? this.chunksOf(directory)[at] : undefined;
  }

  /** The place after one; it is the end where no chunk stands there. */
  after({ directory, at }: Place): Place {
    if (directory >= this.groups.length) return { directory, at };
    if (at + 1 < this.chunksOf(directory).length) return { directory, at: at + 1 };
    let next = directory + 1;
    while (next < this.groups.length && this.chunksOf(next).length === 0) next += 1;
    return { directory: next, at: 0 };
  }

  /** Null when it is the first. */
  before({ directory, at }: Place): Place | null {
    if (at > 0) return { directory, at: at - 1 };
    for (let earlier = directory - 1; earlier >= 0; earlier -= 1) {
      const { length } = this.chunksOf(earlier);
      if (length > 0) return { directory: earlier, at: length - 1 };
    }
    return null;
  }

  /** Puts chunks in the place of those from one place up to another, which stays. */
  replace(from: Place, to: Place, chunks: readonly Piece<Key>[]): void {
    if (this.groups.length === 0) {
      this.groups.push({ piece: null, isTouched: true, chunks: [] });
    }
    const first = this.#touch(from.directory);
    if (to.directory === from.directory) {
      first.splice(from.at, to.at - from.at, ...chunks);
      return;
    }
    first.splice(from.at, first.length - from.at, ...chunks);
    for (let between = from.directory + 1; between < to.directory; between += 1) {
      this.#touch(between).length = 0;
    }
    if (to.directory < this.groups.length && to.at > 0) this.#touch(to.directory).splice(0, to.at);
  }

  chunksOf(directory: number): Piece<Key>[] {
    const group = this.groups[directory] as Group<Key>;
    group.chunks ??= group.piece === null ? [] : this.#read(group.piece);
    return group.chunks;
  }

  /** Every chunk; reads all directories. */
  all(): Piece<Key>[] {
    return this.groups.flatMap((_group, directory) => this.chunksOf(directory));
  }

  #touch(directory: number): Piece<Key>[] {
    const chunks = this.chunksOf(directory);
    (this.groups[directory] as Group<Key>).isTouched = true;
    return chunks;
  }

  #startOf({ piece, chunks }: Group<Key>): Key | null {
    return chunks === null ? (piece?.key ?? null) : (chunks[0]?.key ?? null);
  }
}

export const isBefore = (one: Place, other: Place): boolean =>
  one.directory < other.directory || (one.directory === other.directory && one.at < other.at);
