// What a command was given last, by path, with the SHA-256 of each file: a JSON file, and beside it lines of what came
// since, so that a publish writes little. What cannot be read of them counts as nothing, and is given to the command again.

import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { makePrivateFile } from '../../../base/files/private-files.ts';
import { readJsonFile } from '../../../base/files/read-json.ts';
import { writePieces } from '../../../base/files/write-whole.ts';

/** Path -> hash; null: removed. */
export type NewFiles = ReadonlyMap<string, string | null>;

export type KnownFiles = {
  readonly read: () => ReadonlyMap<string, string>;
  /** Durable when it resolves. */
  readonly add: (news: NewFiles) => Promise<void>;
};

const LINES_BYTES_MAX = 8 * 1024 * 1024;

export const openKnownFiles = (file: string): KnownFiles => {
  const lines = file.replace(/json$/, 'lines');
  const read = (): Map<string, string> => {
    const known = new Map(Object.entries(readWhole(file)));
    apply(known, readLines(lines));
    return known;
  };
  return {
    read,
    add: async (news) => {
      const written = statSync(lines, { throwIfNoEntry: false })?.size ?? 0;
      if (news.size < FEW && written < LINES_BYTES_MAX) return append(lines, news);
      const known = read();
      apply(known, news);
      await writePieces(file, [JSON.stringify(Object.fromEntries(known))]);
      rmSync(lines, { force: true });
    },
  };
};

/** More than this is written anew. */
const FEW = 5_000;

const apply = (known: Map<string, string>, news: Iterable<readonly [string, string | null]>) => {
  for (const [path, hash] of news) {
    if (hash === null) known.delete(path);
    else known.set(path, hash);
  }
};

const readWhole = (file: string): Readonly<Record<string, string>> =>
  readJsonFile(z.record(z.string(), z.string()), file) ?? {};

const line = z.tuple([z.string(), z.string().nullable()]);

/** A line that a killed program left unfinished is passed over. */
function* readLines(file: string): Generator<readonly [string, string | null]> {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  for (const one of text.split('\n')) {
    try {
      yield line.parse(JSON.parse(one));
    } catch {
      // Its file is given again.
    }
  }
}

const append = (file: string, news: NewFiles): void => {
  makePrivateFile(file);
  const descriptor = openSync(file, 'a');
  try {
    writeSync(descriptor, [...news].map((pair) => `\n${JSON.stringify(pair)}`).join(''));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
