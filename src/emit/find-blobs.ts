// Files on the disk that have the shape of the packed tree's own.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODINGS, type Encoding, sidecarOf } from '../paths/sidecars.ts';
import { PACKED_FOLDER } from '../queries/tree.ts';

export type FoundBlob = {
  /** Relative to the content folder. */
  readonly name: string;
  /** The blob's file, which this is or is a sidecar of. */
  readonly document: string;
  readonly encoding: Encoding | null;
};

const FOLDER = /^[0-9a-f]{2}$/;
const BLOB = /^[0-9a-f]{30}\.(?:txt|bin)$/;

/** Links are not followed. */
export const findBlobs = (root: string): FoundBlob[] =>
  list(join(root, PACKED_FOLDER))
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .flatMap((folder) =>
      list(join(root, PACKED_FOLDER, folder.name)).flatMap((entry): FoundBlob[] => {
        const name = `${PACKED_FOLDER}/${folder.name}/${entry.name}`;
        const encoding = entry.isFile() ? encodingOf(entry.name) : undefined;
        if (encoding === undefined) return [];
        const document = encoding === null ? name : name.slice(0, -endingOf(encoding));
        return [{ name, document, encoding }];
      }),
    );

const endingOf = (encoding: Encoding): number => sidecarOf('', encoding).length;

/** Undefined of what is no blob's. */
const encodingOf = (name: string): Encoding | null | undefined => {
  if (BLOB.test(name)) return null;
  return ENCODINGS.find(
    (encoding) =>
      name === sidecarOf(name.slice(0, -endingOf(encoding)), encoding) &&
      BLOB.test(name.slice(0, -endingOf(encoding))),
  );
};

const list = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
