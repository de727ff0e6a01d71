// The thread that keeps what staged files will replace, or renames them, until it is closed; or removes files that were
// replaced, and ends.
import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { keepShare, type RenameShare, renameShare } from './rename-staged.ts';

/** What is to be kept or renamed comes in messages. */
export type EmitTask =
  | { readonly kind: 'keep' | 'rename' }
  | { readonly kind: 'remove'; readonly folder: string };

/** File by file, so that a process that ends need not wait for it. */
const removeAll = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeAll(path);
    else unlinkSync(path);
  }
  rmdirSync(folder);
};

const task = workerData as EmitTask;
if (task.kind === 'remove') removeAll(task.folder);
else {
  const work = task.kind === 'keep' ? keepShare : renameShare;
  parentPort?.on('message', (share: RenameShare) => {
    parentPort?.postMessage(work(share));
  });
}
