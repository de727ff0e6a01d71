// Full builds as whole processes, in rounds: in each, the build and what the machine can do are measured
// one after the other, so that both see the same machine.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FloorName, type Floors, prepareFloors } from './floors.ts';
import { type Measured, run, settle } from './processes.ts';
import { readTreeFacts, type TreeFacts } from './tree.ts';

export const SITE_URL = 'https://bench.example.com';

export type BuildRound = {
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
  readonly rounds: number;
  /** Measured in each round. */
  readonly floors: readonly FloorName[];
  /** Measured in the first round only, for the table. */
  readonly shownFloors: readonly FloorName[];
  readonly environment?: NodeJS.ProcessEnv;
};

export const measureBuilds = async (input: BuildsInput): Promise<BuildResult> => {
  const { posts, database, folder } = input;
  const built = join(folder, 'build-1');
  const rounds: BuildRound[] = [];
  let facts: TreeFacts | null = null;
  let floors: Floors | null = null;
  for (let round = 1; round <= input.rounds; round += 1) {
    const place = join(folder, `build-${round}`);
    const { seconds, peakMb } = await buildOnce(database, place, input.environment);
    const names = round === 1 ? [...input.floors, ...input.shownFloors] : input.floors;
    const tree = join(built, 'output/content');
    facts ??= readTreeFacts(tree);
    if (names.length > 0) {
      floors ??= await prepareFloors({ tree, facts, folder: join(folder, 'archives') });
    }
    const measured = new Map<FloorName, number>();
    for (const [at, name] of names.entries()) {
      const target = join(folder, `floor-${round}-${at}`);
      measured.set(name, (await floors?.measure(name, target)) ?? Number.NaN);
    }
    rounds.push({ seconds, peakMb, floors: measured });
  }
  if (facts === null) throw new Error('There was no round.');
  return { posts, database, facts, rounds, built };
};

/** A first build of a copy of the database, in a folder of its own. */
export const buildOnce = async (
  database: string,
  place: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Measured> => {
  mkdirSync(join(place, 'data'), { recursive: true });
  copyFileSync(database, join(place, 'data/publication.db'));
  await settle(place);
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
