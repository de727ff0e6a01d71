// What rendering some records gives, in few large pieces, because it travels between threads: the fragments
// of each variant one after another, and beside them sizes and hashes. Buffers whose content nobody needs
// any more go back to be filled again, so that a build's memory stays as it is.
import type { RowProblem } from '../documents/row-problem.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { PlacedKey } from './segments.ts';

export type RenderedBatch = {
  /** The records that could be rendered, in their order. */
  readonly ids: readonly string[];
  /** Bytes of each fragment: all variants of the first record, then of the second. */
  readonly sizes: Uint32Array<ArrayBuffer>;
  /** SHA-256 of each document, in the same order. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** For each variant the fragments one after another; what follows the last one means nothing. */
  readonly fragments: readonly Uint8Array<ArrayBuffer>[];
  /** Rows that cannot be rendered. */
  readonly problems: readonly RowProblem[];
};

/** A record with its fragments, one for each variant. */
export type Rendered = { readonly entry: RecordEntry; readonly fragments: readonly Buffer[] };

/** Of all its fragments. */
export const bytesOf = ({ entry }: Rendered): number =>
  entry.sizes.reduce((sum, size) => sum + size, 0);

const HASH_BYTES = 32;
const INITIAL_BYTES = 256 * 1024;

type Shape = { readonly records: number; readonly variants: number };

export class BatchWriter {
  readonly #ids: string[] = [];
  readonly #sizes: Uint32Array<ArrayBuffer>;
  readonly #hashes: Uint8Array<ArrayBuffer>;
  readonly #fragments: Uint8Array<ArrayBuffer>[];
  readonly #filled: number[];
  readonly #variants: number;

  /** `used` are fragment buffers of an earlier batch. */
  constructor({ records, variants }: Shape, used: readonly Uint8Array<ArrayBuffer>[]) {
    this.#variants = variants;
    this.#sizes = new Uint32Array(records * variants);
    this.#hashes = new Uint8Array(records * variants * HASH_BYTES);
    this.#filled = Array.from({ length: variants }, () => 0);
    this.#fragments = this.#filled.map((_, at) => used[at] ?? allocate(INITIAL_BYTES));
  }

  startRecord(id: string): void {
    this.#ids.push(id);
  }

  /** Adds a variant of the record that was started last. */
  append(variant: number, fragment: Buffer, hash: Buffer): void {
    const at = (this.#ids.length - 1) * this.#variants + variant;
    this.#sizes[at] = fragment.length;
    this.#hashes.set(hash, at * HASH_BYTES);
    const filled = this.#filled[variant] ?? 0;
    this.#reserve(variant, filled + fragment.length).set(fragment, filled);
    this.#filled[variant] = filled + fragment.length;
  }

  finish(problems: readonly RowProblem[]): RenderedBatch {
    return {
      ids: this.#ids,
      sizes: this.#sizes,
      hashes: this.#hashes,
      fragments: this.#fragments,
      problems,
    };
  }

  #reserve(variant: number, size: number): Uint8Array<ArrayBuffer> {
    const buffer = this.#fragments[variant] as Uint8Array<ArrayBuffer>;
    if (size <= buffer.length) return buffer;
    const larger = allocate(size * 2);
    larger.set(buffer.subarray(0, this.#filled[variant]));
    this.#fragments[variant] = larger;
    return larger;
  }
}

/** A buffer of its own, not of the shared pool, so that it can be moved to another thread. */
const allocate = (size: number): Uint8Array<ArrayBuffer> => Buffer.allocUnsafeSlow(size);

/** The records of a batch by id, as views of its buffers. */
export const readBatch = (
  { ids, sizes, hashes, fragments }: RenderedBatch,
  keys: readonly PlacedKey[],
): Map<string, Rendered> => {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const offsets = fragments.map(() => 0);
  const rendered = new Map<string, Rendered>();
  for (const [record, id] of ids.entries()) {
    const key = byId.get(id);
    if (key === undefined) throw new Error(`Record ${id} was not asked for.`);
    const first = record * fragments.length;
    const entry: RecordEntry = {
      ...key,
      sizes: [...sizes.subarray(first, first + fragments.length)],
      hashes: fragments.map((_, at) => view(hashes, (first + at) * HASH_BYTES, HASH_BYTES)),
    };
    const parts = fragments.map((buffer, at) => {
      const start = offsets[at] ?? 0;
      const size = entry.sizes[at] ?? 0;
      offsets[at] = start + size;
      return view(buffer, start, size);
    });
    rendered.set(id, { entry, fragments: parts });
  }
  return rendered;
};

const view = (bytes: Uint8Array<ArrayBuffer>, start: number, size: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, size);
