// Writes pages in a thread while others are still rendered: into a hidden folder beside their places, in the shape in
// which they will stand. Whoever places them takes that folder over.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAnotherRunning } from '../../../base/files/running-process.ts';
import { HOST_MARK, OWNER_MARK, removeStaleFolders } from '../../../base/files/stale-folders.ts';
import { findBundledWorker, startThread, type Thread } from '../../../base/threads/thread.ts';
import type { FileToWrite } from '../file-worker.ts';

export type PageStage = {
  /** Takes a page by its path, relative to the folder of the pages; the last one of a path counts. */
  readonly put: (path: string, text: string) => void;
  /** Waits until all are written; throws what the disk refused. Null where none was put. */
  readonly finish: () => Promise<StagedPages | null>;
  /** Ends the thread, and removes what nobody took over. */
  readonly close: () => Promise<void>;
};

export type StagedPages = {
  readonly folder: string;
  /** By path. */
  readonly pages: ReadonlyMap<string, StagedPage>;
};

export type StagedPage = {
  readonly text: string;
  /** SHA-256, in hex. */
  readonly hash: string;
};

const PREFIX = '.prepress-pages-';

/** Null where the program runs from its sources, which have no worker file. `root` is the folder of the pages. */
export const createPageStage = (
  root: string,
  workerFile = findBundledWorker('file-worker'),
): PageStage | null => {
  if (workerFile === null) return null;
  const folder = join(root, PREFIX + OWNER_MARK);
  const pages = new Map<string, { readonly text: string; readonly hash: Promise<string> }>();
  let thread: Thread<FileToWrite, string> | null = null;
  return {
    put: (path, text) => {
      if (thread === null) removeStages(root);
      thread ??= startThread(workerFile);
      const hash = thread.ask({ file: join(folder, path), text });
      // Who waits for it sees it; where rendering failed, nobody waits.
      hash.catch(() => undefined);
      pages.set(path, { text, hash });
    },
    finish: async () => {
      if (thread === null) return null;
      const staged = new Map<string, StagedPage>();
      for (const [path, { text, hash }] of pages) staged.set(path, { text, hash: await hash });
      return { folder, pages: staged };
    },
    close: async () => {
      if (thread === null) return;
      await thread.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Those of this process, which has one run at a time, and of processes that have ended. */
const removeStages = (root: string): void => {
  const names = existsSync(root) ? readdirSync(root) : [];
  for (const name of names.filter((one) => one.startsWith(PREFIX) && one.endsWith(HOST_MARK))) {
    const id = Number(name.slice(PREFIX.length, -HOST_MARK.length));
    if (!isAnotherRunning(id)) rmSync(join(root, name), { recursive: true, force: true });
  }
  removeStaleFolders(root, (name) => name.startsWith(PREFIX));
};
