// What publishing one post costs, durable, with the settings that decide how many lists a publish writes: medians of
// cycles of one process that stays open, beside a plain copy of what the last of them wrote.
import { join } from 'node:path';
import type { BuildResult } from './builds.ts';
import { atMost, type Check, median } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { measureEdits } from './edits.ts';
import { remove } from './processes.ts';

export type PublishSettings = {
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The median may take no longer. */
  readonly limitMs: number;
  /** It may write no more; absent: it is only shown. */
  readonly limitBytes?: number;
};

const FIRST_PAGES = { PREPRESS_LISTS_PAGES: '1', PREPRESS_SEARCH_INDEX: 'false' };

const DEFAULTS: PublishSettings = {
  name: 'defaults',
  environment: {},
  limitMs: 150,
  limitBytes: 45_000_000,
};
const SHORT: PublishSettings = {
  name: '`lists.pages: 1`, `searchIndex: false`',
  environment: FIRST_PAGES,
  limitMs: 80,
};
const SHORTEST: PublishSettings = {
  name: 'the same and `lists.max: 100`',
  environment: { ...FIRST_PAGES, PREPRESS_LISTS_MAX: '100' },
  limitMs: 50,
};

export const PUBLISH_SETTINGS = [DEFAULTS, SHORT, SHORTEST] as const;

export type PublishesResult = {
  readonly posts: number;
  readonly settings: PublishSettings;
  readonly publishes: readonly Cycle[];
  /** Milliseconds of a cycle that finds nothing to do. */
  readonly nothingMs: number;
  /** Milliseconds of `cp` of what the last publish wrote and `sync -f`. */
  readonly copyMilliseconds: number;
};

type PublishesInput = {
  /** Its tree takes the publishes. */
  readonly build: BuildResult;
  readonly folder: string;
  readonly publishes: number;
};

const COPIES = 3;

/** All in one tree, which each run brings to its settings first; at the end it has the default ones again. */
export const measurePublishes = async (input: PublishesInput): Promise<PublishesResult[]> => {
  const { build, folder, publishes } = input;
  const results: PublishesResult[] = [];
  for (const [at, settings] of [...PUBLISH_SETTINGS.entries()].reverse()) {
    const copies = join(folder, `copies-${at}`);
    const { environment } = settings;
    const scenarios = ['nothing', ...new Array<string>(publishes).fill('publish')];
    const asked = { place: build.built, folder: copies, scenarios, copies: COPIES, environment };
    const { cycles, copyMilliseconds } = await measureEdits(asked);
    results.unshift({
      posts: build.posts,
      settings,
      publishes: cycles.slice(1),
      nothingMs: cycles[0]?.milliseconds ?? Number.NaN,
      copyMilliseconds: copyMilliseconds ?? Number.NaN,
    });
    await remove(copies);
  }
  return results;
};

/** The middle one of all publishes. */
export const middleOf = (publishes: readonly Cycle[], numberOf: (cycle: Cycle) => number): number =>
  median(publishes.map(numberOf));

/** Numbers of posts of which the one must cost no more than so many times the other. */
const COMPARED: readonly number[] = [10_000, 100_000];
const COMPARED_MAX = 1.5;
const NOTHING_MAX_MS = 50;
const COPIED_POSTS = 10_000;
const COPY_RATIO_MAX = 1.5;

export const checkPublishes = (results: readonly PublishesResult[]): Check[] =>
  results.flatMap((result) => {
    const { posts, settings, publishes, nothingMs, copyMilliseconds } = result;
    const ms = middleOf(publishes, ({ milliseconds }) => milliseconds);
    const checks = [checkCarried(publishes, posts, settings)];
    const name = `publish in ms, ${posts} posts, ${settings.name}`;
    checks.push(atMost('time', name, [ms, settings.limitMs]));
    if (settings.limitBytes !== undefined) {
      const name = `bytes that a publish writes, ${posts} posts, ${settings.name}`;
      const bytes = middleOf(publishes, (cycle) => cycle.bytes);
      checks.push(atMost('bytes', name, [bytes, settings.limitBytes]));
    }
    if (settings === DEFAULTS) {
      const name = `wake with nothing to do in ms, ${posts} posts`;
      checks.push(atMost('time', name, [nothingMs, NOTHING_MAX_MS]));
    }
    if (settings === DEFAULTS && posts === COPIED_POSTS) {
      const ratio = ms / copyMilliseconds;
      checks.push(
        atMost('time', `publish of cp and sync, ${posts} posts`, [ratio, COPY_RATIO_MAX]),
      );
    }
    return checks;
  });

/** Of all sizes, at the end: how much longer the slower one of two takes. */
export const compareSizes = (results: readonly PublishesResult[]): Check[] =>
  [SHORT, SHORTEST].flatMap((settings) => {
    const times = results
      .filter((result) => result.settings === settings && COMPARED.includes(result.posts))
      .map(({ publishes }) => middleOf(publishes, ({ milliseconds }) => milliseconds));
    if (times.length < COMPARED.length) return [];
    const ratio = Math.max(...times) / Math.min(...times);
    const name = `publish at ${COMPARED.join(' and ')} posts, ${settings.name}`;
    return [atMost('time', name, [ratio, COMPARED_MAX])];
  });

const CARRIED_MAX_MB = 1;

/** What a deploy carries for a publish, but for the documents that the post stands in. */
export const checkCarried = (
  publishes: readonly Cycle[],
  posts: number,
  { name }: Pick<PublishSettings, 'name'>,
): Check => {
  const megabytes = middleOf(publishes, ({ bytesBeside }) => bytesBeside) / 1e6;
  const what = 'MB that a publish carries beside documents';
  return atMost('bytes', `${what}, ${posts} posts, ${name}`, [megabytes, CARRIED_MAX_MB]);
};
