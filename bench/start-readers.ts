// Readers of a server: of records, lists by query, and pages where there are some.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveServer } from './live-server.ts';

export type Readers = {
  readonly end: () => Promise<{ readonly answers: number; readonly faults: number }>;
};

type Options = {
  readonly folder: string;
  readonly count: number;
  /** Milliseconds from one request of a reader to its next. */
  readonly everyMs: number;
  /** Addresses beside those of the content interface. */
  readonly pages?: readonly string[];
};

/** `folder`: of the publication. */
export const startReaders = async (
  { url, contentKey }: LiveServer,
  { folder, count, everyMs, pages = [] }: Options,
): Promise<Readers> => {
  const file = join(folder, 'addresses');
  const key = `key=${contentKey}`;
  const addresses = listIds(folder).flatMap((id, at) => [
    `/content/posts/${id}/?${key}`,
    `/content/posts/?${key}&limit=15&include=tags,authors&page=${(at % 60) + 1}`,
    `/content/posts/?${key}&limit=15&include=tags&filter=tag:tag-${at % 500}`,
    `/content/posts/${id}/?${key}&include=tags,authors`,
    `/content/posts/?${key}&fields=slug,title&limit=${(at % 70) + 30}`,
    ...pages.slice(at % pages.length, (at % pages.length) + 1),
  ]);
  writeFileSync(file, addresses.join('\n'));
  const program = join(import.meta.dirname, 'readers.js');
  const args = [url, String(count), String(everyMs), file];
  const child = fork(program, args);
  return {
    end: async () => {
      const said = once(child, 'message') as Promise<[{ answers: number; faults: number }]>;
      child.kill('SIGTERM');
      return (await said)[0];
    },
  };
};

/** Ids of the posts in a publication's output. */
export const listIds = (folder: string): string[] =>
  readdirSync(join(folder, 'output/content/posts')).filter((id) => /^[0-9a-f]{24}$/.test(id));
