// What sidecars of a tree must be: for each document in a folder, and each blob of
// text, one of each encoding, which holds its bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';

export type Ending = '.br' | '.gz';

export const unpack = (bytes: Buffer, ending: string): Buffer =>
  ending === '.br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);

/** Names of all files below a folder. */
export const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

export const expectSidecars = (content: string, endings: readonly Ending[]): void => {
  const names = namesIn(content);
  const documents = names.filter((name) => /\/[^/]+\.(?:json|txt)$/.test(name));
  const expected = documents.flatMap((name) => endings.map((ending) => name + ending)).sort();
  expect(names.filter((name) => /\.(?:br|gz)$/.test(name))).toEqual(expected);
  const differing = expected.filter((name) => {
    const unpacked = unpack(readFileSync(join(content, name)), name.slice(-3));
    return !unpacked.equals(readFileSync(join(content, name.slice(0, -3))));
  });
  expect(differing).toEqual([]);
};
