// Small files that programs keep for themselves: whole and durable, or as they were, and for their owner only.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFile } from '../base/private-files.ts';
import { makeFolder } from './make-folder.ts';

/** Replaces the text of a file; its folder is made when it is absent. */
export const writeWhole = (path: string, text: string): void => {
  const draft = `${path}.new`;
  makeFolder(dirname(path), { isPrivate: true });
  // What a killed run left may have other rights.
  rmSync(draft, { force: true });
  try {
    makePrivateFile(draft);
    writeFileSync(draft, text, { flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};
