// Where the server keeps uploads: in the media folder, and at their addresses in the output, without waiting for a build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPaths } from '../../settings/data-paths.ts';
import { storeFile } from './store-file.ts';

type Uploads = {
  readonly folder: string;
  readonly has: (path: string) => boolean;
  readonly keep: (from: string, path: string) => Promise<void>;
};

export const uploadsOf = (
  paths: DataPaths,
  onKept: (path: string) => void = () => undefined,
): Uploads => ({
  folder: paths.uploads,
  has: (path) => [paths.media, paths.contentFolder].some((root) => existsSync(join(root, path))),
  keep: async (from, path) => {
    await storeFile(paths, { from, path });
    onKept(path);
  },
});
