// Resident memory of a server of a small publication with pages, under a load: a save a second by the admin interface,
// 20 readers of files, pages and queries, and a webhook's receiver.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './checks.ts';
import {
  end,
  type LiveServer,
  RECEIVER_ALLOWED,
  savePost,
  startReceiver,
  startServer,
  subscribe,
} from './live-server.ts';

export type MemoryResult = {
  readonly minutes: number;
  readonly saves: number;
  readonly deliveries: number;
  readonly answers: number;
  readonly faults: number;
  /** Resident memory in MB, every second after the first minute. */
  readonly samplesMb: readonly number[];
};

const READERS = 20;
const SAVE_EVERY_MS = 1_000;
const SAMPLE_MS = 1_000;

type Input = { readonly folder: string; readonly minutes: number };

/** `folder`: of a publication. */
export const measureMemory = async ({ folder, minutes }: Input): Promise<MemoryResult> => {
  const environment = { ...RECEIVER_ALLOWED, PREPRESS_SITE: process.env.SITE ?? "true", NODE_OPTIONS: process.env.NO ?? "", ...(process.env.ARENAS && { MALLOC_ARENA_MAX: process.env.ARENAS }) };
  const server = await startServer(folder, { environment });
  const receiver = await startReceiver();
  try {
    let deliveries = 0;
    receiver.onDelivery = () => {
      deliveries += 1;
    };
    for (const event of ['post.edited', 'site.changed']) await subscribe(server, receiver, event);
    const ids = readdirSync(join(folder, 'output/content/posts')).filter((id) => id.length === 24);
    const load = await startReaders(server, ids, { folder, count: READERS });
    const started = performance.now();
    const samplesMb: number[] = [];
    const sampling = setInterval(() => {
      const isWarm = performance.now() - started > 60_000;
      const mb = residentMb(server.child.pid);
      if (isWarm || process.env.ALL) samplesMb.push(mb);
      if (process.env.ALL) process.stderr.write(`${Math.round((performance.now() - started) / 1000)} ${Math.round(mb)}\n`);
    }, SAMPLE_MS);
    let saves = 0;
    while (performance.now() - started < minutes * 60_000) {
      const next = sleep(SAVE_EVERY_MS);
      await savePost(server, ids[saves % ids.length] ?? '', `Saved ${saves}`);
      saves += 1;
      await next;
    }
    clearInterval(sampling);
    return { minutes, saves, deliveries, samplesMb, ...(await load.end()) };
  } finally {
    receiver.close();
    await end(server.child);
  }
};

const residentMb = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6;
};

export const startReaders = async (
  { url, contentKey }: LiveServer,
  ids: readonly string[],
  { folder, count }: { folder: string; count: number },
) => {
  const addresses = ids.flatMap((id, at) => [
    `/content/posts/${id}/?key=${contentKey}`,
    `/content/posts/?key=${contentKey}&limit=15&include=tags,authors&page=${(at % 60) + 1}`,
    `/page-${at % 300}/`,
    `/content/posts/?key=${contentKey}&limit=15&include=tags&filter=tag:tag-${at % 500}`,
    `/content/posts/${id}/?key=${contentKey}&include=tags,authors`,
    `/content/posts/?key=${contentKey}&fields=slug,title&limit=${(at % 70) + 30}`,
  ]);
  const file = join(folder, 'addresses');
  writeFileSync(file, addresses.join('\n'));
  const program = join(import.meta.dirname, 'readers.js');
  const child = spawn(process.execPath, [program, url, String(count), process.env.EVERY ?? '20', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    end: async () => {
      const printed = text(child.stdout);
      child.kill('SIGTERM');
      await once(child, 'exit');
      return JSON.parse(await printed) as { answers: number; faults: number };
    },
  };
};
