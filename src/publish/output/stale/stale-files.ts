// Finds what broken-off runs left in hidden folders of the output. No server sends it, and the next run of
// its kind removes it.
import { join } from 'node:path';
import { listBelow } from '../../../base/files/list-below.ts';
import { findEntries } from './find-entries.ts';

/** The hidden folders below these that hold files. */
export const findStaleFiles = (folders: Iterable<string>): string[] =>
  [...folders].flatMap((folder) =>
    findEntries(folder)
      .filter((entry) => entry.isDirectory() && entry.name.startsWith('.prepress-'))
      .map(({ name }) => join(folder, name))
      .filter((path) => listBelow(path).some((entry) => entry.isFile())),
  );
