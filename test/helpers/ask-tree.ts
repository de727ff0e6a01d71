// Answers of queries, from the packed tree on the disk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerList } from '../../src/content/queries/answer.ts';
import type { ListResource } from '../../src/content/queries/resource.ts';
import { blobFile, PACKED_ROOT_FILE } from '../../src/content/tree/names.ts';
import type { Root } from '../../src/content/tree/tree.ts';
import { createTreeStore, type TreeStore } from '../../src/content/tree/tree-store.ts';

export const treeIn = (content: string): TreeStore =>
  createTreeStore({
    readRoot: async () => JSON.parse(readFileSync(join(content, PACKED_ROOT_FILE), 'utf8')) as Root,
    readBlob: async (name) => readFileSync(join(content, blobFile(name))),
    bytesMax: 1_000_000,
  });

export const askTree = async (
  content: string,
  resource: ListResource,
  rawQuery: string,
): Promise<string> => {
  const pieces = await answerList(treeIn(content), resource, { rawQuery, nowMs: 0 });
  return Buffer.concat(pieces).toString('utf8');
};
