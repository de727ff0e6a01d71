// Files of the tree as documents to be sent: whole from memory while they are small, streamed with backpressure when
// they are large.
import { Readable } from 'node:stream';
import type { Encoding } from '../../../content/paths/sidecars.ts';
import { CHUNKED } from '../connections/pace-streams.ts';
import type { OpenFile } from './file-cache.ts';
import type { Document } from './send-file.ts';

/** A larger body is streamed. */
export const FILE_BYTES_MAX = 1024 * 1024;

export const fileDocument = (file: OpenFile, encoding: Encoding | null): Document => ({
  ...file,
  encoding,
  partBytes: 0,
  // The handle is closed with the stream.
  stream: () =>
    file.handle?.createReadStream({ ...CHUNKED, start: 0, end: file.bytes - 1 }) ??
    Readable.from([]),
  close: async () => file.handle?.close(),
});
