// Hidden folders in which copies and files of hosts are made before they get their names: one in the output, one in its
// content folder, which may be a mount of its own. Under the hosts' lock, what stands there was left by a run that ended.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { StagedFiles } from '../session/staged-files.ts';

const HOST_STAGING = '.prepress-hosts';

export type HostPlaces = {
  /** The folder that names are relative to. */
  readonly root: string;
  /** The content folder, relative to `root`; absent: nothing is placed in it. */
  readonly content?: string | undefined;
};

export type HostStaging = {
  /** Where the file that gets this name is made. */
  readonly filesFor: (path: string) => StagedFiles;
  readonly clear: () => void;
};

/** Removes what was left; folders are made when they are needed. */
export const openHostStaging = ({ root, content }: HostPlaces): HostStaging => {
  const opened = new Map<string, StagedFiles>();
  const open = (folder: string): StagedFiles => {
    const files = opened.get(folder) ?? new StagedFiles(join(folder, HOST_STAGING));
    opened.set(folder, files);
    return files;
  };
  const clear = (): void => {
    opened.clear();
    clearHostStaging({ root, content });
  };
  clear();
  return {
    filesFor: (path) =>
      open(content !== undefined && path.startsWith(`${content}/`) ? join(root, content) : root),
    clear,
  };
};

export const clearHostStaging = ({ root, content }: HostPlaces): void => {
  for (const folder of new Set([root, join(root, content ?? '')])) {
    rmSync(join(folder, HOST_STAGING), { recursive: true, force: true });
  }
};
