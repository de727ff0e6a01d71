// Edits that change many records: what they cost whole, what of it is the packed tree's, and what a record costs.
import { join } from 'node:path';
import { type BuildResult, buildOnce } from './builds.ts';
import { atMost, type Check } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { measureCycle } from './edits.ts';
import { measureRecordCost } from './record-cost.ts';

export type EditsOf = { readonly edits: readonly Cycle[]; readonly checks: readonly Check[] };

type WideInput = {
  readonly build: BuildResult;
  readonly folder: string;
  /** Of the record cost. */
  readonly rounds: number;
};

/** The widest first: some file systems pass over inodes that were freed lately, which slows those after it. */
export const WIDE_EDITS = ['timezone', 'tag', 'author'] as const;

const RECORD_COST_MAX = 1.2;
const TAG_TREE_MAX_MS = 100;

export const measureWideEdits = async (input: WideInput): Promise<EditsOf> => {
  const { build, folder, rounds } = input;
  const { posts, database } = build;
  const edits: Cycle[] = [];
  const checks: Check[] = [];
  for (const scenario of WIDE_EDITS) {
    const asked = { posts, database, place: folder, scenario, rounds };
    const { ratio, records } = await measureRecordCost(asked);
    const name = `${scenario}: record cost of a full build's, ${records} records`;
    checks.push(atMost('time', name, [ratio, RECORD_COST_MAX]));
  }
  for (const scenario of WIDE_EDITS) {
    // Some file systems are slow while many inodes were freed lately: each has a tree that was just built.
    const own = join(folder, `edit-${scenario}`);
    await buildOnce(database, own);
    const cycle = await measureCycle(own, { folder, scenario });
    edits.push(cycle);
    if (scenario !== 'tag') continue;
    const name = `tag: packed tree in ms, ${cycle.records} records`;
    checks.push(atMost('time', name, [cycle.treeMilliseconds, TAG_TREE_MAX_MS]));
  }
  return { edits, checks };
};
