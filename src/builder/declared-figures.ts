// What declared queries cost: files and bytes of those that stand, and of those that would, worked out from the tree.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobFile, PACKED_ROOT_FILE } from '../base/packed-names.ts';
import { type DeclaredQuery, findDeclaredFile } from '../paths/declared-queries.ts';
import type { Root } from '../queries/tree.ts';
import { createTreeStore } from '../queries/tree-store.ts';
import type { Manifest } from '../store/manifest.ts';
import { openSegments, pagesOf, partsOf } from './declared-pages.ts';
import { tick } from './pass-context.ts';

/** Without sidecars. */
export type DeclaredFigures = { readonly files: number; readonly bytes: number };

/** Of the files of the tree. */
export const standingFigures = (manifest: Pick<Manifest, 'files'>): DeclaredFigures => {
  let [files, bytes] = [0, 0];
  for (const { path, size } of manifest.files()) {
    if (findDeclaredFile(path) === null) continue;
    files += 1;
    bytes += size;
  }
  return { files, bytes };
};

type Tree = {
  /** The content folder. */
  readonly contentFolder: string;
  readonly manifest: Pick<Manifest, 'storedSegments'>;
};

const STORE_BYTES_MAX = 16 * 1024 * 1024;

/** Of the files that a query would have; null where there is no tree. */
export const openFigures = ({
  contentFolder,
  manifest,
}: Tree): ((query: DeclaredQuery) => Promise<DeclaredFigures>) | null => {
  const read = (file: string): Buffer | null => readOrNull(join(contentFolder, file));
  const readRoot = (): Root | null => {
    const bytes = read(PACKED_ROOT_FILE);
    return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as Root);
  };
  const root = readRoot();
  if (root === null) return null;
  const store = createTreeStore({
    // A build may replace the tree meanwhile.
    readRoot: async () => readRoot() ?? root,
    readBlob: async (name) => read(blobFile(name)),
    bytesMax: STORE_BYTES_MAX,
  });
  const source = { store, root, segmentOf: openSegments(manifest) };
  return async (query) => {
    let [files, bytes] = [0, 0];
    for (const part of await partsOf(source, query)) {
      for await (const { body } of pagesOf(source, part, () => true)) {
        files += 1;
        for (const piece of body ?? []) bytes += piece.length;
        await tick();
      }
    }
    return { files, bytes };
  };
};

const readOrNull = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
