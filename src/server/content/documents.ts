// Files of the tree, and parts of lists, as documents to be sent: whole from memory while they are small,
// streamed with backpressure when they are large.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Encoding } from '../../paths/sidecars.ts';
import type { AnswerMemory } from '../connections/answer-memory.ts';
import { CHUNKED } from '../connections/pace-streams.ts';
import { ProblemError } from '../problem.ts';
import type { OpenFile } from './file-cache.ts';
import { type ListPart, REPLACED } from './list-part.ts';
import type { Document } from './send-file.ts';

/** A larger file is streamed. */
export const FILE_BYTES_MAX = 1024 * 1024;
/** A larger part of a list is streamed: to put it together and to hash it takes the event loop. */
const PART_BYTES_MAX = 256 * 1024;
const ATTEMPTS = 3;

export const fileDocument = (file: OpenFile, encoding: Encoding | null): Document => ({
  ...file,
  encoding,
  // The handle is closed with the stream.
  stream: () =>
    file.handle?.createReadStream({ ...CHUNKED, start: 0, end: file.bytes - 1 }) ??
    Readable.from([]),
  close: async () => file.handle?.close(),
});

/** Null when there is no such list. Throws a 503 ProblemError when there is no room, or the list changes over and over. */
export const partDocument = async (
  find: () => Promise<ListPart | null>,
  memory: AnswerMemory,
  attempts = ATTEMPTS,
): Promise<Document | null> => {
  const part = await find();
  if (part === null) return null;
  if (part.bytes > PART_BYTES_MAX) return streamed(part);
  try {
    const body = await memory.during(part.bytes, () => collect(part));
    const digest = createHash('sha256').update(body).digest('base64url');
    return { ...streamed(part), bytes: body.length, etag: `"${digest.slice(0, 27)}"`, body };
  } catch (error) {
    const isReplaced = error instanceof ProblemError && error.problem === REPLACED;
    if (!isReplaced || attempts === 1) throw error;
    return partDocument(find, memory, attempts - 1);
  }
};

const streamed = ({ bytes, etag, chunks }: ListPart): Document => ({
  bytes,
  etag,
  body: null,
  encoding: null,
  stream: () => Readable.from(chunks(), { ...CHUNKED, objectMode: false }),
  close: async () => undefined,
});

const collect = async ({ bytes, chunks }: ListPart): Promise<Buffer> => {
  const body = Buffer.alloc(bytes);
  let filled = 0;
  for await (const chunk of chunks()) filled += chunk.copy(body, filled);
  return body.subarray(0, filled);
};
