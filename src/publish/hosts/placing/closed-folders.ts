// What other users may not pass or read, on the way to the output or in it: a server that runs as one of them answers 404.
import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { shellWord } from '../../../base/text/shell-word.ts';

const OTHERS_PASS = 0o001;
const OTHERS_READ = 0o004;
/** Work under way, and the history of an output that is kept in Git. */
const HIDDEN = /^[.](?:prepress-.*|git)$/;

/** Folders; the outermost first; none on Windows, whose folders have no such mode. */
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
  `only its owner or group can pass it, so a server that runs as another user finds no file. Run "chmod o+x ${shellWord(folder)}".`;

/** How many files and folders in the output are closed, in a sentence; null when none is. A build leaves them as they are. */
export const describeClosed = (output: string): string | null => {
  let count = 0;
  let first = '';
  for (const path of closedBelow(output)) {
    count += 1;
    first ||= path;
  }
  const number = count === 1 ? '' : `${count} files or folders, such as `;
  return count === 0
    ? null
    : `other users cannot read ${number}${first}, so a server that runs as one of them answers 404. Run "chmod -R o+rX ${shellWord(output)}".`;
};

function* closedBelow(output: string): Generator<string> {
  if (process.platform === 'win32' || !existsSync(output)) return;
  const folders = [output];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (HIDDEN.test(entry.name) || !(isFolder || entry.isFile())) continue;
      const open = isFolder ? OTHERS_PASS : OTHERS_READ;
      const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? open;
      if ((mode & open) === 0) yield path;
      if (isFolder) folders.push(path);
    }
  }
}

/** A folder of another user's, such as lost+found, may be closed to this one, too: it is named by itself. */
const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};
