// Reads a single file of the tree, such as the root, where it has the bytes that the manifest names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../manifest/manifest.ts';
import { sha256Of } from '../../packed/blobs.ts';

/** Null: it is gone, or another one. */
export const readWritten = (
  folder: string,
  manifest: Pick<Manifest, 'file'>,
  name: string,
): Buffer | null => {
  try {
    const bytes = readFileSync(join(folder, name));
    return manifest.file(name)?.sha256.equals(sha256Of(bytes)) === true ? bytes : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
};
