// Answers of the executor as documents to be sent. The records are written part by part, so that a long answer takes
// neither the event loop nor much memory: first all of them for length and tag, and, if the body is too long to be held,
// again while it is sent. Both times the same blobs are read, so both have the same bytes.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OpenAnswer } from '../../queries/answer.ts';
import type { AnswerMemory } from '../connections/answer-memory.ts';
import { CHUNK_BYTES, CHUNKED } from '../connections/pace-streams.ts';
import { FILE_BYTES_MAX } from './documents.ts';
import type { Lanes } from './lanes.ts';
import type { Document } from './send-file.ts';

type Options = {
  readonly memory: Pick<AnswerMemory, 'reserve'>;
  /** Parts that are made at once hold their blobs. */
  readonly inLane: Lanes;
};

/** Throws a 503 ProblemError when there is no room for the body; rejects with a MissingBlob. */
export const queryDocument = async (answer: OpenAnswer, options: Options): Promise<Document> => {
  const room = options.memory.reserve();
  const hash = createHash('sha256');
  let kept: Buffer[] | null = [];
  let bytes = 0;
  let partBytes = 0;
  try {
    for await (const part of partsOf(answer, options.inLane)) {
      hash.update(part);
      bytes += part.length;
      partBytes = Math.max(partBytes, part.length);
      if (bytes > FILE_BYTES_MAX) {
        kept = null;
        room.release();
      } else if (kept !== null) {
        room.add(part.length);
        kept.push(part);
      }
    }
    return {
      bytes,
      etag: `"${hash.digest('base64url').slice(0, 27)}"`,
      body: kept === null ? null : Buffer.concat(kept, bytes),
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

const FIRST_RECORDS = 8;
const PART_RECORDS_MAX = 128;
const PART_BYTES = 128 * 1024;

async function* partsOf(answer: OpenAnswer, inLane: Lanes): AsyncGenerator<Buffer> {
  let count = FIRST_RECORDS;
  let from = 0;
  do {
    const to = Math.min(from + count, answer.records);
    // Within the lane: the blobs of the part are let go with it.
    const part = await inLane(async () => {
      const pieces = await answer.write(from, to);
      if (from === 0) pieces.unshift(answer.opening);
      if (to === answer.records) pieces.push(answer.ending);
      return Buffer.concat(pieces);
    });
    yield part;
    count = countFor(part.length / Math.max(1, to - from));
    from = to;
    // What was read before is at hand without a turn of the event loop.
    if (from < answer.records) await new Promise((resolve) => setImmediate(resolve));
  } while (from < answer.records);
}

/** As many as fit into a part. */
const countFor = (recordBytes: number): number =>
  Math.min(PART_RECORDS_MAX, Math.max(1, Math.floor(PART_BYTES / Math.max(1, recordBytes))));

async function* chunksOf(answer: OpenAnswer, inLane: Lanes): AsyncGenerator<Buffer> {
  for await (const part of partsOf(answer, inLane)) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      yield part.subarray(from, from + CHUNK_BYTES);
    }
  }
}
