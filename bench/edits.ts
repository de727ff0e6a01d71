// What edits cost after their commit, in a process that stays open, beside a plain copy of the bytes that the last
// of them changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { median } from './checks.ts';
import type { Cycle } from './cycles.ts';
import { quote, run, settle, shell } from './processes.ts';

export type EditsResult = {
  readonly cycles: readonly Cycle[];
  /** Milliseconds of `cp` of the files that the last cycle wrote and `sync -f`; null when it was not asked for. */
  readonly copyMilliseconds: number | null;
};

type EditsInput = {
  /** Folder of a publication whose tree is built with the settings of `environment`. */
  readonly place: string;
  /** Folder for copies. */
  readonly folder: string;
  /** Cycles of one process, one after the other. */
  readonly scenarios: readonly string[];
  /** How often the changed bytes are copied. */
  readonly copies?: number;
  /** Compare the whole tree with how it was before each cycle. */
  readonly isCompared?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
};

export const measureEdits = async (input: EditsInput): Promise<EditsResult> => {
  const { place, folder, scenarios, copies = 0, isCompared = false, environment = {} } = input;
  await settle(place);
  const program = join(import.meta.dirname, 'cycles.js');
  const args = [program, place, isCompared ? 'compare' : '-', ...scenarios];
  const { stdout } = await run(process.execPath, args, { environment });
  const cycles = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Cycle);
  const written = cycles.at(-1)?.written ?? [];
  const times: number[] = [];
  for (let round = 1; round <= copies; round += 1) {
    const target = join(folder, `copy-${round}`);
    times.push(await copyFiles(join(place, 'output/content'), written, target));
  }
  return { cycles, copyMilliseconds: times.length === 0 ? null : median(times) };
};

type CycleInput = Pick<EditsInput, 'folder' | 'environment'> & { readonly scenario: string };

/** One edit, with nothing copied. */
export const measureCycle = async (
  place: string,
  { scenario, ...input }: CycleInput,
): Promise<Cycle> => {
  const { cycles } = await measureEdits({ ...input, place, scenarios: [scenario] });
  const [cycle] = cycles;
  if (cycle === undefined) throw new Error(`The cycle ${scenario} was not measured.`);
  return cycle;
};

const copyFiles = async (
  tree: string,
  names: readonly string[],
  target: string,
): Promise<number> => {
  mkdirSync(target, { recursive: true });
  const list = `${target}.list`;
  writeFileSync(list, names.join('\0'));
  for (const name of names) mkdirSync(join(target, dirname(name)), { recursive: true });
  // The edit found what it copied in the cache, so this copy does as well.
  await shell(`xargs -0 cat < ${quote(list)} > /dev/null`, tree);
  await settle(target, { isWarm: true });
  const copy = `xargs -0 -n 2000 cp --parents -t ${quote(target)} < ${quote(list)}`;
  const line = `cd ${quote(tree)} && ${copy} && sync -f ${quote(target)}`;
  const { seconds } = await run('sh', ['-c', line]);
  return seconds * 1000;
};
