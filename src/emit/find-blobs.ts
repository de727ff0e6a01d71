// Files on the disk that have the shape of the packed tree's own.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBlob, PACKED_FOLDER } from '../base/packed-names.ts';
import { type Encoding, findDocument, findEncoding } from '../paths/sidecars.ts';

export type FoundBlob = {
  /** Relative to the content folder. */
  readonly name: string;
  /** The blob's file, which this is or is a sidecar of. */
  readonly document: string;
  readonly encoding: Encoding | null;
};

/** Links are not followed. */
export const findBlobs = (root: string): FoundBlob[] =>
  list(join(root, PACKED_FOLDER))
    .filter((entry) => entry.isDirectory())
    .flatMap((folder) =>
      list(join(root, PACKED_FOLDER, folder.name))
        .filter((entry) => entry.isFile())
        .flatMap((entry): FoundBlob[] => {
          const name = `${PACKED_FOLDER}/${folder.name}/${entry.name}`;
          if (isBlob(name)) return [{ name, document: name, encoding: null }];
          const document = findDocument(name);
          return document !== null && isBlob(document)
            ? [{ name, document, encoding: findEncoding(name) }]
            : [];
        }),
    );

const list = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
