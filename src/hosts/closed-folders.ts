// Folders on the way to the output that other users may not pass: a server that runs as one of them answers 404 to everything.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const OTHERS_PASS = 0o001;

/** The outermost first; none on Windows, whose folders have no such mode. */
export const findClosedFolders = (output: string): string[] => {
  if (process.platform === 'win32') return [];
  const folders: string[] = [];
  let folder = resolve(output);
  while (!existsSync(folder)) folder = dirname(folder);
  for (folder = realpathSync(folder); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_PASS) === 0) folders.unshift(folder);
  }
  return folders;
};

export const closedReason = (folder: string): string =>
  `only its owner or group can pass it, so a server that runs as another user finds no file. Run "chmod o+x ${folder}".`;
