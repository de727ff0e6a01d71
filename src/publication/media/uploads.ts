// Where the server keeps uploads: in the media folder, and at their addresses in the output, without waiting for a build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPaths } from '../../settings/data-paths.ts';
import { storeFile } from './store-file.ts';

type Uploads = {
  readonly folder: string;
  readonly has: (path: string) => boolean;
  readonly keep: (from: string, path: string, isReplacing?: boolean) => Promise<boolean>;
};

type Options = {
  readonly onKept?: (path: string) => void;
  /** Takes a file before it is kept here, for other machines too; false when one of theirs has that path. */
  readonly share?: Uploads['keep'] | undefined;
};

export const uploadsOf = (paths: DataPaths, { onKept, share }: Options = {}): Uploads => ({
  folder: paths.uploads,
  has: (path) => [paths.media, paths.contentFolder].some((root) => existsSync(join(root, path))),
  keep: async (from, path, isReplacing) => {
    if ((await share?.(from, path, isReplacing)) === false) return false;
    await storeFile(paths, { from, path });
    onKept?.(path);
    return true;
  },
});
