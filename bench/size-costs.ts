// What sizes cost a publish: a post with pictures that are new, published in two publications that differ in `images.sizes`
// alone, in turn.
import { join } from 'node:path';
import { median } from './checks.ts';
import { measureEdits } from './edits.ts';
import { makePublication } from './publication.ts';

export type SizeCosts = {
  /** Milliseconds of the processor that a publish takes: medians. */
  readonly withMs: number;
  readonly withoutMs: number;
};

const POSTS = 1_000;
const PUBLISHES = 10;
const PAIRS = 5;

export const measureSizeCosts = async (folder: string): Promise<SizeCosts> => {
  const ways = await Promise.all(
    ['600,1000,1600,2400', ''].map(async (widths) => {
      const place = join(folder, widths === '' ? 'without-sizes' : 'with-sizes');
      await makePublication(join(place, 'data/publication.db'), POSTS);
      const times: number[] = [];
      return { place, environment: { PREPRESS_IMAGES_SIZES: widths }, times };
    }),
  );
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (const { place, environment, times } of ways) {
      const scenarios = new Array<string>(PUBLISHES).fill('pictures');
      const { cycles } = await measureEdits({ place, folder: place, scenarios, environment });
      times.push(...cycles.map(({ processorMilliseconds }) => processorMilliseconds));
    }
  }
  const [withMs = Number.NaN, withoutMs = Number.NaN] = ways.map(({ times }) => median(times));
  return { withMs, withoutMs };
};
