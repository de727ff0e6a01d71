// Full builds as whole processes, in rounds: in each, the build and what the machine can do are measured
// one after the other, so that both see the same machine.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './checks.ts';
import { type FloorName, type Floors, prepareFloors } from './floors.ts';
import { type Measured, remove, run, settle } from './processes.ts';
import { readTreeFacts, type TreeFacts } from './tree.ts';

export const SITE_URL = 'https://bench.example.com';

export type BuildRound = {
  /** Whoever was measured before has just freed as much memory. */
  readonly isWarm: boolean;
  readonly seconds: number;
  readonly peakMb: number | null;
  readonly floors: ReadonlyMap<FloorName, number>;
};

export type BuildResult = {
  readonly posts: number;
  /** The publishing database. */
  readonly database: string;
  readonly facts: TreeFacts;
  readonly rounds: readonly BuildRound[];
  /** Folder of the publication that was built first. */
  readonly built: string;
};

type BuildsInput = {
  readonly posts: number;
  /** The publishing database. */
  readonly database: string;
  readonly folder: string;
  readonly rounds: readonly Pick<BuildRound, 'isWarm'>[];
  /** Measured in each round. */
  readonly floors: readonly FloorName[];
  /** Measured in the first round only, for the table. */
  readonly shownFloors: readonly FloorName[];
  /** Keeps no tree longer than needed: the next ones may then get inodes that were just freed. */
  readonly isLean: boolean;
  readonly environment?: NodeJS.ProcessEnv;
};

export const measureBuilds = async (input: BuildsInput): Promise<BuildResult> => {
  const { posts, database, folder } = input;
  const built = join(folder, 'build-1');
  const archives = join(folder, 'archives');
  const rounds: BuildRound[] = [];
  let facts: TreeFacts | null = null;
  let floors: Floors | null = null;
  for (const [at, { isWarm }] of input.rounds.entries()) {
    const place = join(folder, `build-${at + 1}`);
    const { seconds, peakMb } = await buildOnce(database, place, { ...input, isWarm });
    const names = at === 0 ? [...input.floors, ...input.shownFloors] : input.floors;
    const tree = join(built, 'output/content');
    facts ??= readTreeFacts(tree);
    if (names.length > 0) {
      floors ??= await prepareFloors({ tree, facts, folder: archives, names });
    }
    const measured = new Map<FloorName, number>();
    for (const [nth, name] of names.entries()) {
      const target = join(folder, `floor-${at + 1}-${nth}`);
      measured.set(name, (await floors?.measure(name, target, isWarm)) ?? Number.NaN);
      if (input.isLean) await remove(target);
    }
    if (input.isLean && place !== built) await remove(place);
    rounds.push({ isWarm, seconds, peakMb, floors: measured });
  }
  await remove(archives);
  if (facts === null) throw new Error('There was no round.');
  return { posts, database, facts, rounds, built };
};

type BuildOptions = {
  readonly environment?: NodeJS.ProcessEnv | undefined;
  readonly isWarm?: boolean;
};

/** A first build of a copy of the database, in a folder of its own. */
export const buildOnce = async (
  database: string,
  place: string,
  { environment = {}, isWarm = false }: BuildOptions = {},
): Promise<Measured> => {
  mkdirSync(join(place, 'data'), { recursive: true });
  copyFileSync(database, join(place, 'data/publication.db'));
  await settle(place, { isWarm });
  return prepress(place, ['build', '--json', '--site-url', SITE_URL], environment);
};

export const prepress = (
  place: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Measured> =>
  run(process.execPath, [join(process.cwd(), 'dist/prepress.js'), ...args], {
    cwd: place,
    environment,
  });

/** The middle one of the rounds of a kind. */
export const ratioTo = ({ rounds }: BuildResult, floor: FloorName, isWarm: boolean): number =>
  median(
    rounds.flatMap(({ seconds, floors, ...round }) => {
      const measured = floors.get(floor);
      return measured === undefined || round.isWarm !== isWarm ? [] : [seconds / measured];
    }),
  );

/** The largest of all rounds; null where the system does not tell. */
export const peakOf = ({ rounds }: BuildResult): number | null =>
  largest(rounds.map(({ peakMb }) => peakMb));

export const largest = (peaks: readonly (number | null)[]): number | null => {
  const known = peaks.filter((peakMb) => peakMb !== null);
  return known.length === 0 ? null : Math.max(...known);
};
