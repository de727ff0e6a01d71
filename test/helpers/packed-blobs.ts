// The blobs of a packed tree, walked from its root by the form that content/tree/tree.ts describes.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobFile, PACKED_FOLDER, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type {
  BlobName,
  Collection,
  Directory,
  IndexDirectory,
  Root,
  Terms,
} from '../../src/content/tree/tree.ts';

/** Text of a file relative to the content folder; null: there is none. */
type Read = (file: string) => string | null;

/** Names of all blobs that the root leads to; those that are absent are among them, what they name is not. */
export const namedBlobs = (root: Root, read: Read): Set<BlobName> => {
  const parse = <T>(name: BlobName, otherwise: T): T => {
    const text = read(blobFile(name));
    return text === null ? otherwise : (JSON.parse(text) as T);
  };
  const directories = ({ leaves, cards, plain, names }: Collection): BlobName[] =>
    [...leaves, ...cards, ...plain, ...names].flatMap(([directory]) => [
      directory,
      ...parse<Directory>(directory, []).map(([name]) => name),
    ]);
  const indexes = ({ titles, slugs, ids }: Collection): BlobName[] =>
    [titles, slugs, ids].flatMap((directory) =>
      directory === null
        ? []
        : [directory, ...parse<IndexDirectory>(directory, []).map(([name]) => name)],
    );
  const columns = (collection: Collection): BlobName[] =>
    collection.columns.flatMap((entry) => entry.slice(0, 3) as BlobName[]);
  const terms = ({ keys, counts, records, embedded }: Terms): BlobName[] => [
    keys,
    counts,
    ...[...records, ...embedded].map(([name]) => name),
  ];
  return new Set([
    ...[root.posts, root.pages].flatMap((one) => [
      ...directories(one),
      ...indexes(one),
      ...columns(one),
    ]),
    ...[root.tags, root.authors].flatMap(terms),
  ]);
};

/** Names of the blobs that a root lacks; empty also where there is no root. */
export const missingBlobs = (read: Read): BlobName[] => {
  const text = read(PACKED_ROOT_FILE);
  if (text === null) return [];
  const named = namedBlobs(JSON.parse(text) as Root, read);
  return [...named].filter((name) => read(blobFile(name)) === null);
};

export const readFrom =
  (content: string): Read =>
  (file) => {
    try {
      return readFileSync(join(content, file), 'latin1');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    }
  };

/** Files of blobs that stand in a content folder, sidecars left out: relative to it, each with its bytes. */
export const standingBlobs = (content: string): Map<string, Buffer> =>
  new Map(
    readdirSync(join(content, PACKED_FOLDER), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^..\/[^/]+\.(?:txt|bin)$/.test(name))
      .map((name) => [
        `${PACKED_FOLDER}/${name}`,
        readFileSync(join(content, PACKED_FOLDER, name)),
      ]),
  );

/** The file that bytes belong into, by the rule of names alone. */
export const fileOfBytes = (bytes: Buffer, ending: string): string => {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return `${PACKED_FOLDER}/${hash.slice(0, 2)}/${hash.slice(2)}.${ending}`;
};
