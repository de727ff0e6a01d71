// Whole posts that were read, kept in the system's temporary folder until all of them belong to one state. A post may be
// kept again; the last time counts. `close` removes all.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WholePost } from './answers.ts';

export type Bodies = {
  readonly keep: (posts: readonly WholePost[]) => Promise<void>;
  /** `updated_at` of what is kept; undefined of a post that is not. */
  readonly updatedAt: (id: string) => string | null | undefined;
  /** Those that `isWanted` lets pass, in batches, in the order of their keeping. */
  readonly read: (isWanted: (id: string) => boolean) => AsyncIterable<readonly WholePost[]>;
  readonly close: () => Promise<void>;
};

export const openBodies = async (): Promise<Bodies> => {
  const folder = await mkdtemp(join(tmpdir(), 'prepress-address-'));
  const kept = new Map<string, { readonly file: number; readonly updatedAt: string | null }>();
  let files = 0;
  const pathOf = (file: number): string => join(folder, `${file}.json`);
  return {
    keep: async (posts) => {
      files += 1;
      await writeFile(pathOf(files), JSON.stringify(posts));
      for (const { id, updated_at } of posts) {
        kept.set(id, { file: files, updatedAt: updated_at ?? null });
      }
    },
    updatedAt: (id) => kept.get(id)?.updatedAt,
    read: async function* (isWanted) {
      for (let file = 1; file <= files; file += 1) {
        const posts = JSON.parse(await readFile(pathOf(file), 'utf8')) as WholePost[];
        yield posts.filter(({ id }) => kept.get(id)?.file === file && isWanted(id));
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
};
