// The packed tree and first pages alone, as hosts get them by the profile `packed`: one first build, and some publishes
// after it. A build of the program writes the records' files too, and those of 1,000,000 posts take 55 GB; here a writer that
// writes none takes its place, and everything else is the program's own.
import { join } from 'node:path';
import type { Cycle } from './cycles.ts';
import { remove, run, settle } from './processes.ts';
import { makePublication } from './publication.ts';
import { readTreeFacts, type TreeFacts } from './tree.ts';

export type PackedResult = {
  readonly posts: number;
  readonly first: Cycle;
  /** Of all threads, in MB: of the first build, and of the publishes. */
  readonly peaksMb: readonly [first: number | null, publishes: number | null];
  readonly facts: TreeFacts;
  readonly publishes: readonly Cycle[];
};

const PUBLISHES = 5;
const FIRST_PAGES = { PREPRESS_LISTS_PAGES: '1', PREPRESS_SEARCH_INDEX: 'false' };

export const measurePacked = async (folder: string, posts: number): Promise<PackedResult> => {
  await makePublication(join(folder, 'data/publication.db'), posts);
  await settle(folder);
  const first = await runCycles(folder, ['first']);
  const facts = readTreeFacts(join(folder, 'output/content'));
  const then = await runCycles(folder, new Array<string>(PUBLISHES).fill('publish'));
  await remove(folder);
  const [build] = first.cycles;
  if (build === undefined) throw new Error('The first build was not measured.');
  return {
    posts,
    first: build,
    peaksMb: [first.peakMb, then.peakMb],
    facts,
    publishes: then.cycles,
  };
};

const runCycles = async (folder: string, scenarios: readonly string[]) => {
  const program = join(import.meta.dirname, 'packed/cycles.js');
  const args = [program, folder, '-', ...scenarios];
  const { stdout, peakMb } = await run(process.execPath, args, { environment: FIRST_PAGES });
  const lines = stdout.trimEnd().split('\n');
  return { cycles: lines.map((line) => JSON.parse(line) as Cycle), peakMb };
};
