// Whole posts that were read, kept in a file of the system's temporary folder until all of them belong to one state. A
// post may be kept again; the last time counts. `close` removes all.
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canRemoveOpenFiles,
  makeScratchFolder,
  removeScratchFolder,
} from '../../../base/files/scratch-folder.ts';
import type { WholePost } from './responses.ts';

export type Bodies = {
  readonly keep: (posts: readonly WholePost[]) => Promise<void>;
  /** `updated_at` of what is kept; undefined of a post that is not. */
  readonly updatedAt: (id: string) => string | null | undefined;
  /** Those that `isWanted` lets pass, in batches, in the order of their keeping. */
  readonly read: (isWanted: (id: string) => boolean) => AsyncIterable<readonly WholePost[]>;
  readonly close: () => Promise<void>;
};

type Batch = { readonly at: number; readonly bytes: number };

export const openBodies = async (): Promise<Bodies> => {
  const folder = makeScratchFolder('address');
  const file = await open(join(folder, 'posts.json'), 'wx+', 0o600);
  if (canRemoveOpenFiles) removeScratchFolder(folder);
  const kept = new Map<string, { readonly batch: Batch; readonly updatedAt: string | null }>();
  const batches: Batch[] = [];
  let end = 0;
  return {
    keep: async (posts) => {
      const bytes = Buffer.from(JSON.stringify(posts));
      const batch = { at: end, bytes: bytes.length };
      await file.appendFile(bytes);
      end += bytes.length;
      batches.push(batch);
      for (const { id, updated_at } of posts) {
        kept.set(id, { batch, updatedAt: updated_at ?? null });
      }
    },
    updatedAt: (id) => kept.get(id)?.updatedAt,
    read: async function* (isWanted) {
      for (const batch of batches) {
        const posts = JSON.parse(await readBatch(file, batch)) as WholePost[];
        yield posts.filter(({ id }) => kept.get(id)?.batch === batch && isWanted(id));
      }
    },
    close: async () => {
      await file.close();
      removeScratchFolder(folder);
    },
  };
};

const readBatch = async (file: FileHandle, { at, bytes }: Batch): Promise<string> => {
  const buffer = Buffer.alloc(bytes);
  for (let length = 0; length < bytes; ) {
    const { bytesRead } = await file.read(buffer, length, bytes - length, at + length);
    if (bytesRead === 0) throw new Error('Posts that were kept are gone.');
    length += bytesRead;
  }
  return buffer.toString('utf8');
};
