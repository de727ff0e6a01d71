// Answers of the executor as documents to be sent. The records are written part by part, so that a long answer takes
// neither the event loop nor much memory: first all of them for length and tag, and, if the body is too long to be held,
// again while it is sent. Both times the same blobs are read, so both have the same bytes.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import type { ConcurrencyLimit } from '../../../base/limit-concurrency.ts';
import { entityTag } from '../../../content/paths/entity-tags.ts';
import type { OpenAnswer } from '../../../content/queries/answer.ts';
import { CHUNK_BYTES, CHUNKED } from '../connections/pace-streams.ts';
import type { ResponseBuffers } from '../connections/response-buffers.ts';
import { FILE_BYTES_MAX } from './document-reader.ts';
import type { Document } from './send-file.ts';

type Options = {
  readonly memory: Pick<ResponseBuffers, 'reserve'>;
  /** Parts that are made at once hold their blobs. */
  readonly inLane: ConcurrencyLimit;
};

/** Throws a 503 ProblemError when there is no room for the body; rejects with a MissingBlob. */
export const queryDocument = async (
  answer: OpenAnswer,
  options: Options,
  /** Null: its bytes decide. */
  etag: string | null = null,
): Promise<Document> => {
  const room = options.memory.reserve();
  const hash = etag === null ? createHash('sha256') : null;
  let kept: Buffer[] | null = [];
  let bytes = 0;
  let partBytes = 0;
  try {
    for await (const part of partsOf(answer, options.inLane)) {
      if (hash !== null) for (const piece of part.pieces) hash.update(piece);
      bytes += part.bytes;
      partBytes = Math.max(partBytes, part.bytes);
      if (bytes > FILE_BYTES_MAX) {
        kept = null;
        room.release();
      } else if (kept !== null) {
        room.add(part.bytes);
        kept.push(...part.pieces);
      }
    }
    return {
      bytes,
      etag: etag ?? entityTag(hash?.digest('base64url') ?? ''),
      body: kept === null ? null : joinAll(kept),
      encoding: null,
      partBytes,
      stream: () =>
        Readable.from(chunksOf(answer, options.inLane), { ...CHUNKED, objectMode: false }),
      close: async () => undefined,
    };
  } finally {
    room.release();
  }
};

/** A short answer is one piece already: copied again, it would be twice as much for the garbage collector. */
const joinAll = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

const PART_RECORDS_MAX = 128;
const PART_BYTES = 128 * 1024;

type Part = { readonly pieces: readonly Buffer[]; readonly bytes: number };

/** The first record tells how long others are. */
async function* partsOf(answer: OpenAnswer, inLane: ConcurrencyLimit): AsyncGenerator<Part> {
  let count = 1;
  let from = 0;
  let bytesInTick = 0;
  const writeMore = async (): Promise<Uint8Array[]> => {
    const begun = from;
    from = Math.min(from + count, answer.records);
    return answer.write(begun, from);
  };
  do {
    const begun = from;
    // Within the lane: most blobs of the part are let go with it.
    const part = await inLane(async () => {
      const pieces = begun === 0 ? [answer.opening, ...(await writeMore())] : [];
      if (begun === 0) count = countFor(bytesOf(pieces));
      pieces.push(...(await writeMore()));
      if (from === answer.records) pieces.push(answer.ending);
      return joinShort(pieces);
    });
    yield part;
    count = countFor(part.bytes / Math.max(1, from - begun));
    bytesInTick += part.bytes;
    if (from === answer.records || bytesInTick < PART_BYTES / 2) continue;
    // What was read before is at hand without a tick of the event loop.
    bytesInTick = 0;
    await tick();
  } while (from < answer.records);
}

const LONG_PIECE_BYTES = 16 * 1024;

/** Copies short pieces together; long ones stay in their blobs, which answers share. */
const joinShort = (pieces: readonly Uint8Array[]): Part => {
  const joined: Buffer[] = [];
  let short: Uint8Array[] = [];
  const flush = (): void => {
    if (short.length > 0) joined.push(Buffer.concat(short));
    short = [];
  };
  for (const piece of pieces) {
    if (piece.length < LONG_PIECE_BYTES) {
      short.push(piece);
      continue;
    }
    flush();
    joined.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }
  flush();
  return { pieces: joined, bytes: bytesOf(joined) };
};

const bytesOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((bytes, { length }) => bytes + length, 0);

/** As many as fit into a part. */
const countFor = (recordBytes: number): number =>
  Math.min(PART_RECORDS_MAX, Math.max(1, Math.floor(PART_BYTES / Math.max(1, recordBytes))));

async function* chunksOf(answer: OpenAnswer, inLane: ConcurrencyLimit): AsyncGenerator<Uint8Array> {
  for await (const { pieces } of partsOf(answer, inLane)) {
    for (const piece of pieces) {
      for (let from = 0; from < piece.length; from += CHUNK_BYTES) {
        yield piece.subarray(from, from + CHUNK_BYTES);
      }
    }
  }
}
