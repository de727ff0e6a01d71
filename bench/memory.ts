// Resident memory of a server that runs as a service and publishes for a while: a save a second by the admin interface, readers of records, lists
// by query and pages, and a receiver of webhooks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, median } from './checks.ts';
import {
  end,
  type LiveServer,
  RECEIVER_ALLOWED,
  savePost,
  startReceiver,
  startServer,
  subscribe,
} from './live-server.ts';
import { findPeakMb, findResidentMb } from './processes.ts';
import { makePublication } from './publication.ts';
import { listIds, startReaders } from './start-readers.ts';

export type MemoryResult = {
  readonly posts: number;
  readonly minutes: number;
  readonly hasPages: boolean;
  readonly saves: number;
  readonly deliveries: number;
  readonly answers: number;
  /** After the first minute, in MB: the median of all seconds, and the most that the system saw. */
  readonly medianMb: number;
  readonly peakMb: number;
};

type Input = { readonly folder: string; readonly minutes: number; readonly hasPages: boolean };

const POSTS = 1_000;
const READERS = 20;
const READ_EVERY_MS = 20;
const SAVE_EVERY_MS = 1_000;
const SAMPLE_MS = 1_000;
const FIRST_MS = 60_000;
/** Pages of the publication that the bench makes. */
const PAGES = Array.from({ length: 300 }, (_, at) => `/page-${at}/`);

export const measureMemory = async (input: Input): Promise<MemoryResult> => {
  const { folder, minutes, hasPages } = input;
  await makePublication(join(folder, 'data/publication.db'), POSTS);
  const environment = { ...RECEIVER_ALLOWED, PREPRESS_SITE: String(hasPages) };
  const server = await startServer(folder, { isService: true, environment });
  const receiver = await startReceiver();
  try {
    let deliveries = 0;
    receiver.onDelivery = () => {
      deliveries += 1;
    };
    for (const event of ['post.published.edited', 'site.changed']) {
      await subscribe(server, receiver, event);
    }
    const pages = hasPages ? PAGES : [];
    const asked = { folder, count: READERS, everyMs: READ_EVERY_MS, pages };
    const readers = await startReaders(server, asked);
    const sampling = startSampling(server.child.pid ?? 0);
    const saves = await saveFor(server, minutes * 60_000);
    const memory = sampling.end();
    const { answers, faults } = await readers.end();
    if (faults > answers / 100) throw new Error(`Of ${answers} answers ${faults} were faults.`);
    return { posts: POSTS, minutes, hasPages, saves, deliveries, answers, ...memory };
  } finally {
    receiver.close();
    await end(server.child);
  }
};

/** One post after the other; returns how many saves were made. */
const saveFor = async (server: LiveServer, milliseconds: number): Promise<number> => {
  const ids = listIds(server.folder);
  const started = performance.now();
  let saves = 0;
  for (; performance.now() - started < milliseconds; saves += 1) {
    const next = sleep(SAVE_EVERY_MS);
    await savePost(server, ids[saves % ids.length] ?? '', `Saved ${saves}`);
    await next;
  }
  return saves;
};

type Sampling = { readonly end: () => Pick<MemoryResult, 'medianMb' | 'peakMb'> };

const startSampling = (pid: number): Sampling => {
  const samples: number[] = [];
  let sampling: NodeJS.Timeout | undefined;
  const begin = (): void => {
    // The peak counts from here.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    sampling = setInterval(() => samples.push(findResidentMb(pid) ?? Number.NaN), SAMPLE_MS);
  };
  const first = setTimeout(begin, FIRST_MS);
  return {
    end: () => {
      clearTimeout(first);
      clearInterval(sampling);
      return { medianMb: median(samples), peakMb: findPeakMb(pid) ?? Number.NaN };
    },
  };
};

const MEDIAN_MAX_MB = 250;

export const checkMemory = (results: readonly MemoryResult[]): Check[] =>
  results.map(({ posts, hasPages, medianMb }) => {
    const name = `resident memory in MB of a server under load, ${posts} posts${hasPages ? ' with pages' : ''}`;
    return atMost('memory', name, [medianMb, MEDIAN_MAX_MB]);
  });
