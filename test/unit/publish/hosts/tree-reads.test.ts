// The number of files that answers read, as it is told before, is what they read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { answerList } from '../../../../src/content/queries/answer.ts';
import { createTreeStore } from '../../../../src/content/tree/tree-store.ts';
import { getHost } from '../../../../src/publish/hosts/hosts.ts';
import { findTreeReads } from '../../../../src/publish/hosts/limits/tree-reads.ts';
import { bareHostSite } from '../../../helpers/host-site.ts';
import { SMALL_LEVELS } from '../../../helpers/memory-blobs.ts';
import { makeOddPublication, ODD_NOW, packOdd } from '../../../helpers/odd-records.ts';
import { putPacked } from '../../../helpers/packed-files.ts';
import { createRandom } from '../../../helpers/random.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const placed = (max: number) => {
  const packed = packOdd(makeOddPublication(createRandom(7), 120), { levels: SMALL_LEVELS, max });
  const output = join(temporaryFolder(), 'output');
  putPacked((file, bytes) => {
    mkdirSync(dirname(join(output, file)), { recursive: true });
    writeFileSync(join(output, file), bytes);
  }, packed);
  return { packed, output, basePath: '' };
};

/** With the root, and the two requests to the cache. */
const readsOf = async ({ packed }: ReturnType<typeof placed>, rawQuery: string) => {
  let reads = 3;
  const store = createTreeStore({
    readRoot: async () => packed.root,
    readBlob: async (name) => {
      reads += 1;
      return packed.blobs.all.get(name) ?? null;
    },
    bytesMax: 100_000_000,
  });
  await answerList(store, 'posts', { rawQuery, nowMs: ODD_NOW });
  return reads;
};

test('a list of the newest reads what was told, filters no more', async () => {
  const site = placed(30);
  const told = findTreeReads(site);
  expect(told?.newest).toBe(await readsOf(site, 'include=authors,tags'));
  for (const filter of ['featured:true', 'tag:-x+updated_at:>2020', 'visibility:-paid']) {
    const reads = await readsOf(site, `include=authors,tags&filter=${encodeURIComponent(filter)}`);
    expect(reads, filter).toBeLessThanOrEqual(told?.most ?? 0);
  }
  expect(told?.maxWithin(told.most)).toBe(30);
  expect(findTreeReads({ output: '/nowhere', basePath: '' })).toBeNull();
});

test('hosts with a limit say it before', () => {
  const site = placed(30);
  const notes = (name: string): string =>
    getHost(name)
      .limitations(bareHostSite({ output: site.output, root: site.output }))
      .join(' ');
  for (const name of ['cloudflare', 'cloudflare-pages']) {
    expect(notes(name)).toMatch(/a filter whose posts stand far apart some \d+/);
    expect(notes(name)).toContain('503 with a sentence that names lists.max');
  }
});
