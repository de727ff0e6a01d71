// The thread that writes pages into the hidden folder, each as it comes.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { hashOfBytes } from '../../../base/files/file-hash.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import type { StageAnswer, StageOrder } from './page-stage.ts';

const folder = workerData as string;
const hashes = new Map<string, string>();
const folders = new Set<string>();
let failure: { readonly error: unknown } | null = null;

const write = (path: string, text: string): void => {
  const bytes = Buffer.from(text);
  const file = join(folder, path);
  const parent = dirname(file);
  if (!folders.has(parent)) makeFolder(parent);
  folders.add(parent);
  writeFileSync(file, bytes);
  hashes.set(path, hashOfBytes(bytes));
};

const take = (order: StageOrder): void => {
  if (order === 'end') {
    parentPort?.postMessage((failure ?? { hashes }) satisfies StageAnswer);
    parentPort?.close();
    return;
  }
  if (failure !== null) return;
  try {
    write(order.path, order.text);
  } catch (error) {
    failure = { error };
  }
};

parentPort?.on('message', take);
