// Folders for what a program needs while it runs, in the system's temporary folder. They may hold members' rows, so what
// a killed program left there is removed later. Where the system allows it, the maker removes a folder as soon as its
// files are open, and nothing can be left.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';
import { PrepressError } from '../errors.ts';
import { OWNER_MARK, removeStaleFolders } from './stale-folders.ts';
import { findUnwritableReason } from './unwritable.ts';

type Purpose =
  | 'address'
  | 'difference'
  | 'import'
  | 'media'
  | 'pictures'
  | 'reading'
  | 'rules'
  | 'sample'
  | 'source';

const OWN_NAMES =
  /^prepress-(?:address|difference|import|media|pictures|reading|rules|sample|source)-/;

/**
 * Makes a folder of its own that only this user may enter. Throws FILE_FAILED; for a `place` that the caller names, as
 * mkdtempSync.
 */
export const makeScratchFolder = (purpose: Purpose, place?: string): string => {
  const parent = place ?? tmpdir();
  if (canRemoveOpenFiles) removeStaleFolders(parent, (name) => OWN_NAMES.test(name));
  try {
    return mkdtempSync(join(parent, `prepress-${purpose}-${OWNER_MARK}-`));
  } catch (cause) {
    if (place !== undefined) throw cause;
    const reason = findUnwritableReason(parent) ?? `${parent} takes none (${codeOf(cause)})`;
    const sentence = `No temporary folder can be made: ${reason}.`;
    const hint = 'Set TMPDIR to a folder in which this user may write.';
    throw new PrepressError('FILE_FAILED', sentence, { cause, hint });
  }
};

/** Files stay readable for whoever has them open; Windows does not remove such. */
export const canRemoveOpenFiles = process.platform !== 'win32';

export const removeScratchFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });
