// Folders for what a program needs while it runs, in the system's temporary folder. They may hold members' rows, so what
// a killed program left there is removed later. Where the system allows it, the maker removes a folder as soon as its
// files are open, and nothing can be left.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER_MARK, removeStaleFolders } from './stale-folders.ts';

type Purpose = 'address' | 'difference' | 'import' | 'media' | 'reading' | 'source';

const OWN_NAMES = /^prepress-(?:address|difference|import|media|reading|source)-/;

/** Makes a folder of its own that only this user may enter. */
export const makeScratchFolder = (purpose: Purpose, place = tmpdir()): string => {
  if (canRemoveOpenFiles) removeStaleFolders(place, (name) => OWN_NAMES.test(name));
  return mkdtempSync(join(place, `prepress-${purpose}-${OWNER_MARK}-`));
};

/** Files stay readable for whoever has them open; Windows does not remove such. */
export const canRemoveOpenFiles = process.platform !== 'win32';

export const removeScratchFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });
