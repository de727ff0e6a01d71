// What rendering some records gives, in few large pieces, because it travels between threads: the part that the
// variants of a record share, once, and what each of them adds, and beside them sizes and hashes. Buffers whose
// content nobody needs any more go back to be filled again, so that a build's memory stays as it is.
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
  /** Bytes of the part that the fragments of each record share. */
  readonly sharedSizes: Uint32Array<ArrayBuffer>;
  /** Those parts one after another, and the ends of all fragments; what follows the last one means nothing. */
  readonly texts: readonly [shared: Bytes, ends: Bytes];
  /** Rows that cannot be rendered. */
  readonly problems: readonly RowProblem[];
};

export type Bytes = Uint8Array<ArrayBuffer>;

/** A record with its fragments: each is the shared part and an end of its own. */
export type Rendered = {
  readonly entry: RecordEntry;
  readonly shared: Buffer;
  readonly ends: readonly Buffer[];
};

/** Of all its fragments. */
export const bytesOf = ({ entry }: Rendered): number =>
  entry.sizes.reduce((sum, size) => sum + size, 0);

export const HASH_BYTES = 32;
const INITIAL_BYTES = 256 * 1024;

type Shape = { readonly records: number; readonly variants: number };

export class BatchWriter {
  readonly #ids: string[] = [];
  readonly #sizes: Uint32Array<ArrayBuffer>;
  readonly #hashes: Bytes;
  readonly #sharedSizes: Uint32Array<ArrayBuffer>;
  readonly #shared: ByteList;
  readonly #ends: ByteList;
  readonly #variants: number;

  /** `used` are the buffers of an earlier batch. */
  constructor({ records, variants }: Shape, [shared, ends]: readonly Bytes[]) {
    this.#variants = variants;
    this.#sizes = new Uint32Array(records * variants);
    this.#hashes = new Uint8Array(records * variants * HASH_BYTES);
    this.#sharedSizes = new Uint32Array(records);
    this.#shared = new ByteList(shared);
    this.#ends = new ByteList(ends);
  }

  startRecord(id: string): void {
    this.#ids.push(id);
  }

  /** Adds the next variant of the record that was started last. */
  append(
    variant: number,
    { shared, end, hash }: { readonly shared: Buffer; readonly end: Buffer; readonly hash: Buffer },
  ): void {
    const record = this.#ids.length - 1;
    const at = record * this.#variants + variant;
    if (variant === 0) {
      this.#sharedSizes[record] = shared.length;
      this.#shared.append(shared);
    }
    this.#ends.append(end);
    this.#sizes[at] = shared.length + end.length;
    this.#hashes.set(hash, at * HASH_BYTES);
  }

  finish(problems: readonly RowProblem[]): RenderedBatch {
    return {
      ids: this.#ids,
      sizes: this.#sizes,
      hashes: this.#hashes,
      sharedSizes: this.#sharedSizes,
      texts: [this.#shared.bytes, this.#ends.bytes],
      problems,
    };
  }
}

/** Bytes one after another, in a buffer that grows. */
class ByteList {
  bytes: Bytes;
  #filled = 0;

  constructor(used: Bytes = allocate(INITIAL_BYTES)) {
    this.bytes = used;
  }

  append(more: Buffer): void {
    const size = this.#filled + more.length;
    if (size > this.bytes.length) {
      const larger = allocate(size * 2);
      larger.set(this.bytes.subarray(0, this.#filled));
      this.bytes = larger;
    }
    this.bytes.set(more, this.#filled);
    this.#filled = size;
  }
}

/** A buffer of its own, not of the shared pool, so that it can be moved to another thread. */
const allocate = (size: number): Bytes => Buffer.allocUnsafeSlow(size);

/** The records of a batch by id, as views of its buffers. */
export const readBatch = (
  { ids, sizes, hashes, sharedSizes, texts: [shared, ends] }: RenderedBatch,
  keys: readonly PlacedKey[],
): Map<string, Rendered> => {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const variants = ids.length === 0 ? 0 : sizes.length / sharedSizes.length;
  const rendered = new Map<string, Rendered>();
  let sharedAt = 0;
  let endAt = 0;
  for (const [record, id] of ids.entries()) {
    const key = byId.get(id);
    if (key === undefined) throw new Error(`Record ${id} was not asked for.`);
    const first = record * variants;
    const entry: RecordEntry = {
      ...key,
      sizes: [...sizes.subarray(first, first + variants)],
      hashes: Array.from({ length: variants }, (_, at) =>
        view(hashes, (first + at) * HASH_BYTES, HASH_BYTES),
      ),
    };
    const sharedSize = sharedSizes[record] ?? 0;
    const own = entry.sizes.map((size) => {
      const end = view(ends, endAt, size - sharedSize);
      endAt += end.length;
      return end;
    });
    rendered.set(id, { entry, shared: view(shared, sharedAt, sharedSize), ends: own });
    sharedAt += sharedSize;
  }
  return rendered;
};

const view = (bytes: Bytes, start: number, size: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, size);
