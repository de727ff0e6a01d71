// The thread that does a build's slow work with files: it removes those that were replaced, or writes pages as they come.
import { readdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOfBytes } from '../../base/files/file-hash.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { serveThread } from '../../base/threads/serve-thread.ts';

export type FolderToRemove = { readonly folder: string };
export type FileToWrite = { readonly file: string; readonly text: string };

/** File by file, so that a process that ends need not wait for it. */
const removeAll = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    unlessMoved(() => (entry.isDirectory() ? removeAll(path) : unlinkSync(path)));
  }
  rmdirSync(folder);
};

/** What the thread of another build removed, or a build has begun to use, is its own. */
const unlessMoved = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
};

const made = new Set<string>();

/** Returns the SHA-256. */
const write = ({ file, text }: FileToWrite): string => {
  const bytes = Buffer.from(text);
  const parent = dirname(file);
  if (!made.has(parent)) makeFolder(parent);
  made.add(parent);
  writeFileSync(file, bytes);
  return hashOfBytes(bytes);
};

serveThread((request: FolderToRemove | FileToWrite): string | null => {
  if ('file' in request) return write(request);
  unlessMoved(() => removeAll(request.folder));
  return null;
});
