// Reads files of the content folder through the cache: as they are, or as documents in an encoding.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Encoding, hasSidecars, sidecarOf } from '../../../content/paths/sidecars.ts';
import { fileDocument } from './documents.ts';
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
