// Generated queries against a packed tree alone: what a host answers is what an oracle works out, to the byte.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeQuery } from '../helpers/made-query.ts';
import { SMALL_LEVELS } from '../helpers/memory-blobs.ts';
import { makeOddPublication, packOdd, pick } from '../helpers/odd-records.ts';
import { putPacked } from '../helpers/packed-files.ts';
import { expectedList, expectedRecord, type OracleResource } from '../helpers/query-oracle.ts';
import { createRandom, SEED } from '../helpers/random.ts';
import type { Ask } from './ask.ts';
import { holdAll, type Trial } from './trials.ts';

const RESOURCES: readonly OracleResource[] = ['posts', 'posts', 'pages', 'tags', 'authors'];
const MAX = 40;
/** Reads by id and slug beside every so many lists. */
const READ_EVERY = 5;

export const GENERATED = 500;

export type PackedTree = Parameters<typeof putPacked>[1];

/** Writes a packed tree below a folder, as a build does below the output. */
export const writePacked = (folder: string, tree: PackedTree): void =>
  putPacked((file, bytes) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }, tree);

/** `start` serves a packed tree of odd records below `/content`, with the profile packed. */
export const holdGenerated = async (
  host: string,
  start: (tree: PackedTree) => Promise<{ readonly ask: Ask; readonly end: () => Promise<void> }>,
): Promise<void> => {
  const random = createRandom(SEED);
  const publication = makeOddPublication(random, 90);
  const { ask, end } = await start(packOdd(publication, { levels: SMALL_LEVELS, max: MAX }));
  const trial = (path: string, body: string): Trial => ({
    host,
    request: path,
    hold: async (compare) =>
      compare('body', (await ask({ path: `/content/${path}` })).body.toString(), body),
  });
  const trials: Trial[] = [];
  for (let left = GENERATED; left > 0; ) {
    const resource = pick(random, RESOURCES);
    const { query, raw } = makeQuery({ random, publication, resource }, MAX);
    // The host has a clock of its own.
    if (raw.includes('now-')) continue;
    left -= 1;
    trials.push(trial(`${resource}/?${raw}`, expectedList(publication, resource, query)));
    const item = publication[resource][left % 7];
    if (item === undefined || left % READ_EVERY > 0) continue;
    const slug = encodeURIComponent(String(item.document.slug));
    for (const [key, path] of [['id', item.id] as const, ['slug', `slug/${slug}`] as const]) {
      const record = expectedRecord(publication, resource, { id: item.id, key, query });
      trials.push(trial(`${resource}/${path}/?${raw}`, record));
    }
  }
  try {
    await holdAll(trials);
  } finally {
    await end();
  }
};
