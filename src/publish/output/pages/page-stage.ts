// Writes pages in a thread while others are still rendered: into a hidden folder beside their places, in the shape in
// which they will stand. Whoever places them takes that folder over.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HOST_MARK, OWNER_MARK, removeLeftFolders } from '../../../base/files/left-folders.ts';
import { isAnotherRunning } from '../../../base/files/running-process.ts';
import { findBundledWorker } from '../../../base/threads/bundled-worker.ts';

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

/** What the thread is told: a page, or that there are no more. */
export type StageOrder = { readonly path: string; readonly text: string } | 'end';

/** SHA-256 by path, or the error of the disk. */
export type StageAnswer =
  | { readonly hashes: ReadonlyMap<string, string> }
  | { readonly error: unknown };

const PREFIX = '.prepress-pages-';

/** Null where the program runs from its sources, which have no worker file. `root` is the folder of the pages. */
export const createPageStage = (
  root: string,
  workerFile = findBundledWorker('page-stage-worker'),
): PageStage | null => {
  if (workerFile === null) return null;
  const folder = join(root, PREFIX + OWNER_MARK);
  const texts = new Map<string, string>();
  let thread: Worker | null = null;
  let answer: Promise<StageAnswer> | null = null;
  const begin = (): Worker => {
    removeStages(root);
    const worker = new Worker(workerFile, { workerData: folder });
    answer = answerOf(worker);
    // Who waits for it sees it; where rendering failed, nobody waits.
    answer.catch(() => undefined);
    return worker;
  };
  return {
    put: (path, text) => {
      thread ??= begin();
      texts.set(path, text);
      thread.postMessage({ path, text } satisfies StageOrder);
    },
    finish: async () => {
      if (thread === null || answer === null) return null;
      thread.postMessage('end' satisfies StageOrder);
      const found = await answer;
      if ('error' in found) throw found.error;
      const { hashes } = found;
      const pages = [...texts].map(([path, text]): [string, StagedPage] => [
        path,
        { text, hash: hashes.get(path) ?? '' },
      ]);
      return { folder, pages: new Map(pages) };
    },
    close: async () => {
      if (thread === null) return;
      await thread.terminate();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const answerOf = (worker: Worker): Promise<StageAnswer> =>
  new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The thread that writes pages ended.')));
  });

/** Those of this process, which has one run at a time, and of processes that have ended. */
const removeStages = (root: string): void => {
  const names = existsSync(root) ? readdirSync(root) : [];
  for (const name of names.filter((one) => one.startsWith(PREFIX) && one.endsWith(HOST_MARK))) {
    const id = Number(name.slice(PREFIX.length, -HOST_MARK.length));
    if (!isAnotherRunning(id)) rmSync(join(root, name), { recursive: true, force: true });
  }
  removeLeftFolders(root, (name) => name.startsWith(PREFIX));
};
