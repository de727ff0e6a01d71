// What rendering some records gives, in few large pieces, because it travels between threads: each record without what can
// be included, once, and what only the packed tree has of it; beside them sizes and hashes. Buffers whose content nobody needs any more go back to be filled again, so that a build's memory stays as it is.
import type { RecordFacts } from '../../../publication/documents/fragment.ts';
import type { RowProblem } from '../../../publication/documents/row-problem.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import type { BodyRange, EncodedVariant } from './record-encoder.ts';
import type { PlacedKey } from './segments.ts';

export type RenderedBatch = {
  /** The records that could be rendered, in their order. */
  readonly ids: readonly string[];
  /** Bytes of each fragment: all variants of the first record, then of the second. */
  readonly sizes: Uint32Array<ArrayBuffer>;
  /** SHA-256 of each document, in the same order. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** Of each record: bytes of its JSON, of the facts and of the plain text, and the range of its body. */
  readonly parts: Uint32Array<ArrayBuffer>;
  /** What the packed tree has of each record, as the manifest keeps it. */
  readonly packs: Uint8Array<ArrayBuffer>;
  /** Records one after another, and facts and plain texts; what follows the last one means nothing. */
  readonly texts: readonly [records: Bytes, facts: Bytes];
  readonly problems: readonly RowProblem[];
};

export type Bytes = Uint8Array<ArrayBuffer>;

/** A record, and what the packed tree has of it. */
export type Rendered = {
  readonly entry: RecordEntry;
  /** Its JSON, without what can be included. */
  readonly record: Buffer;
  readonly facts: RecordFacts;
  /** JSON of the plain text of a post or page. */
  readonly plain: Buffer;
  readonly body: BodyRange;
};

const HASH_BYTES = 32;
export const PACK_BYTES = 24;
const PARTS = 5;
const INITIAL_BYTES = 256 * 1024;

type Shape = { readonly records: number; readonly variants: number };

/** What is added to a batch for a record, once. */
export type RecordPart = {
  readonly record: Buffer;
  readonly facts: Buffer;
  readonly plain: Buffer;
  readonly body: BodyRange;
};

export class BatchWriter {
  readonly #ids: string[] = [];
  readonly #sizes: Uint32Array<ArrayBuffer>;
  readonly #hashes: Bytes;
  readonly #parts: Uint32Array<ArrayBuffer>;
  readonly #packs: Bytes;
  readonly #records: ByteList;
  readonly #facts: ByteList;
  readonly #variants: number;

  /** `used` are the buffers of an earlier batch. */
  constructor({ records, variants }: Shape, [used, facts]: readonly Bytes[]) {
    this.#variants = variants;
    this.#sizes = new Uint32Array(records * variants);
    this.#hashes = new Uint8Array(records * variants * HASH_BYTES);
    this.#parts = new Uint32Array(records * PARTS);
    this.#packs = new Uint8Array(records * PACK_BYTES);
    this.#records = new ByteList(used);
    this.#facts = new ByteList(facts);
  }

  startRecord(id: string): void {
    this.#ids.push(id);
  }

  /** Adds the next variant of the record that was started last. */
  append(variant: number, { record, hash }: EncodedVariant): void {
    const at = (this.#ids.length - 1) * this.#variants + variant;
    this.#sizes[at] = record.length;
    this.#hashes.set(hash, at * HASH_BYTES);
  }

  /** Adds the record itself, and what the packed tree has of it. */
  appendRecord({ record, facts, plain, body }: RecordPart, pack: Buffer): void {
    const at = this.#ids.length - 1;
    this.#parts.set([record.length, facts.length, plain.length, ...body], at * PARTS);
    this.#packs.set(pack, at * PACK_BYTES);
    this.#records.append(record);
    this.#facts.append(facts);
    this.#facts.append(plain);
  }

  finish(problems: readonly RowProblem[]): RenderedBatch {
    return {
      ids: this.#ids,
      sizes: this.#sizes,
      hashes: this.#hashes,
      parts: this.#parts,
      packs: this.#packs,
      texts: [this.#records.bytes, this.#facts.bytes],
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
  { ids, sizes, hashes, parts, packs, texts }: RenderedBatch,
  keys: readonly PlacedKey[],
): Map<string, Rendered> => {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const variants = ids.length === 0 ? 0 : (sizes.length * PARTS) / parts.length;
  const [recordText, factsText] = texts.map(createReader) as [TextReader, TextReader];
  const rendered = new Map<string, Rendered>();
  for (const [record, id] of ids.entries()) {
    const key = byId.get(id);
    if (key === undefined) throw new Error(`Record ${id} was not asked for.`);
    const own = parts.subarray(record * PARTS, (record + 1) * PARTS);
    const [recordSize = 0, factsSize = 0, plainSize = 0, from = 0, to = 0] = own;
    const first = record * variants;
    const ownSizes = [...sizes.subarray(first, first + variants)];
    // A thread of this build wrote them: to check them took longer than to read them.
    const facts = JSON.parse(factsText(factsSize).toString('utf8')) as RecordFacts;
    const { slug, ms, fold, segment } = key;
    const entry: RecordEntry = {
      id,
      slug,
      ms,
      fold,
      segment,
      title: 'title' in facts ? facts.title : '',
      pack: copyOf(packs, record * PACK_BYTES, PACK_BYTES),
      sizes: ownSizes,
      hashes: ownSizes.map((_size, at) => view(hashes, (first + at) * HASH_BYTES, HASH_BYTES)),
    };
    rendered.set(id, {
      entry,
      record: recordText(recordSize),
      facts,
      plain: factsText(plainSize),
      body: [from, to],
    });
  }
  return rendered;
};

/** Reads so many bytes further. */
type TextReader = (size: number) => Buffer;

const createReader = (bytes: Bytes): TextReader => {
  let at = 0;
  return (size) => {
    at += size;
    return view(bytes, at - size, size);
  };
};

const view = (bytes: Bytes, start: number, size: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, size);

const copyOf = (bytes: Bytes, start: number, size: number): Buffer =>
  Buffer.from(bytes.subarray(start, start + size));
