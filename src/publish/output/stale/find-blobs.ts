// Files on the disk that have the shape of the packed tree's own.
import { join } from 'node:path';
import { type Encoding, findDocument, findEncoding } from '../../../content/paths/sidecars.ts';
import { isBlob, PACKED_FOLDER } from '../../../content/tree/names.ts';
import { findEntries } from './find-entries.ts';

export type FoundBlob = {
  /** Relative to the content folder. */
  readonly name: string;
  /** The blob's file, which this is or is a sidecar of. */
  readonly document: string;
  readonly encoding: Encoding | null;
};

/** Links are not followed. */
export const findBlobs = (root: string): FoundBlob[] =>
  findEntries(join(root, PACKED_FOLDER))
    .filter((entry) => entry.isDirectory())
    .flatMap((folder) =>
      findEntries(join(root, PACKED_FOLDER, folder.name))
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
