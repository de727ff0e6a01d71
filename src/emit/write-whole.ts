// Small files that programs keep for themselves: whole and durable, or as they were.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

type Options = {
  /** Rights of the file. */
  readonly mode?: number;
};

/** Replaces the text of a file; its folder is made when it is absent. */
export const writeWhole = (path: string, text: string, { mode }: Options = {}): void => {
  const draft = `${path}.new`;
  makeFolder(dirname(path));
  // What a killed run left may have other rights.
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flush: true, ...(mode !== undefined && { mode }) });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};
