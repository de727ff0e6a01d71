// Random moments of a build, seen from outside: while it starts, while it makes files, and after they are
// placed. Each part gets its share, however short it is beside the others.
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder that exists while files are made. */
export const STAGING = '.prepress-staging';

const SHARES = { start: 0.15, write: 0.45, finish: 0.4 } as const;
type Part = keyof typeof SHARES;

/** Milliseconds that each part took. */
export type Durations = Readonly<Record<Part, number>>;

export type BuildWatch = {
  readonly begun: Promise<unknown>;
  readonly placed: Promise<unknown>;
  readonly close: () => void;
};

/** To be called before the build can begin; `ended` resolves when there will be no more of it. */
export const watchBuild = (content: string, ended: Promise<unknown>): BuildWatch => {
  const watcher = watch(content);
  const until = (isStaged: boolean): Promise<void> =>
    new Promise((resolve) => {
      watcher.on('change', (_event, name) => {
        if (name === STAGING && existsSync(join(content, STAGING)) === isStaged) resolve();
      });
    });
  const placed = Promise.race([until(false), ended]);
  return { begun: Promise.race([until(true), placed]), placed, close: () => watcher.close() };
};

/** Measures the build that `start` begins; `start` resolves when its effects are complete. */
export const measureBuild = async (
  content: string,
  start: () => Promise<unknown>,
): Promise<Durations> => {
  const { begun, placed, close } = watchBuild(content, new Promise(() => undefined));
  let last = performance.now();
  const lap = async (moment: Promise<unknown>): Promise<number> => {
    await moment;
    const before = last;
    last = performance.now();
    return last - before;
  };
  const ended = start();
  const durations = { start: await lap(begun), write: await lap(placed), finish: await lap(ended) };
  close();
  return durations;
};

/** Waits for a random moment of the build that is watched; any will do, and nothing hangs on how long it took. */
export const randomMoment = async (
  { begun, placed, close }: BuildWatch,
  durations: Durations,
  random: () => number,
): Promise<void> => {
  const part = pickPart(random());
  // What counts at the end is the bookkeeping, right after the files are placed.
  const moment = durations[part] * random() ** (part === 'finish' ? 3 : 1);
  if (part !== 'start') await (part === 'write' ? begun : placed);
  await sleep(moment);
  close();
};

const pickPart = (share: number): Part => {
  if (share < SHARES.start) return 'start';
  return share < SHARES.start + SHARES.write ? 'write' : 'finish';
};
