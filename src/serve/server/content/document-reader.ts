// Reads files of the content folder through the cache: as they are, or as documents in an encoding.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Encoding, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { CHUNKED } from '../connections/pace-streams.ts';
import type { FileCache, OpenFile } from './file-cache.ts';
import type { Document } from './send-file.ts';

export type DocumentReader = {
  readonly read: (file: string) => Promise<OpenFile | null>;
  /** A document in an encoding, or as it is where it has no such sidecar. */
  readonly readIn: (encoding: Encoding | null, file: string) => Promise<Document | null>;
};

/** `root`: the content folder. */
export const createDocumentReader = (root: string, cache: FileCache): DocumentReader => {
  const read = (file: string): Promise<OpenFile | null> => cache.read(join(root, file));
  return {
    read,
    readIn: async (encoding, file) => {
      // A sidecar never stands for a document that is gone.
      const isAsked = encoding !== null && hasSidecars(file) && existsSync(join(root, file));
      const sidecar = isAsked ? await read(sidecarOf(file, encoding)) : null;
      if (sidecar !== null) return fileDocument(sidecar, encoding);
      const plain = await read(file);
      return plain && fileDocument(plain, null);
    },
  };
};

/** A larger body is streamed. */
export const FILE_BYTES_MAX = 1024 * 1024;

/** Sent whole from memory while it is small, streamed with backpressure when it is large. */
const fileDocument = (file: OpenFile, encoding: Encoding | null): Document => ({
  ...file,
  encoding,
  partBytes: 0,
  // The handle is closed with the stream.
  stream: () =>
    file.handle?.createReadStream({ ...CHUNKED, start: 0, end: file.bytes - 1 }) ??
    Readable.from([]),
  close: async () => file.handle?.close(),
});
