// A thread of the plain writer: makes its share of the files as fast as Node.js can, with bytes that are
// there already. Nothing is read, rendered or compared.
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { TreeFile } from './tree.ts';

type Share = { readonly target: string; readonly files: readonly TreeFile[] };

const THREADS = 2;
const PIECE = Buffer.alloc(1024 * 1024, 'All work and no play. ');

const write = ({ target, files }: Share): void => {
  let folder = '';
  for (const { name, bytes } of files) {
    const path = join(target, name);
    if (dirname(path) !== folder) {
      folder = dirname(path);
      mkdirSync(folder, { recursive: true });
    }
    const descriptor = openSync(path, 'wx');
    for (let left = bytes; left > 0; ) {
      left -= writeSync(descriptor, PIECE, 0, Math.min(left, PIECE.length));
    }
    closeSync(descriptor);
  }
};

if (isMainThread) {
  const [list = '', target = ''] = process.argv.slice(2);
  const files = JSON.parse(readFileSync(list, 'utf8')) as TreeFile[];
  const half = Math.ceil(files.length / THREADS);
  for (let at = 0; at < THREADS; at += 1) {
    const share: Share = { target, files: files.slice(at * half, (at + 1) * half) };
    new Worker(import.meta.filename, { workerData: share });
  }
} else {
  write(workerData as Share);
}
