// What an edit costs after its commit, in a process that stays open, beside a plain copy of the bytes
// that it changed.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote, run, settle, shell } from './processes.ts';
import type { Turn } from './turns.ts';

export type EditResult = Turn & {
  readonly bytes: number;
  /** Milliseconds of `cp` of the changed files and `sync -f`; null when it was not asked for. */
  readonly copyMilliseconds: number | null;
};

type EditsInput = {
  /** Folder of a publication whose tree is built. */
  readonly place: string;
  readonly folder: string;
  readonly scenarios: readonly string[];
  /** Copy the changed bytes after each turn. */
  readonly copies: boolean;
  /** `compare`: compare the whole tree with how it was. `records`: write no list. */
  readonly mode?: 'compare' | 'records';
  readonly environment?: NodeJS.ProcessEnv;
};

export const measureEdits = async (input: EditsInput): Promise<EditResult[]> => {
  const results: EditResult[] = [];
  for (const [round, scenario] of input.scenarios.entries()) {
    const tree = join(input.place, 'output/content');
    await settle(input.place);
    const program = join(import.meta.dirname, 'turns.js');
    const { stdout } = await run(
      process.execPath,
      [program, input.place, input.mode ?? '-', scenario],
      { environment: input.environment ?? {} },
    );
    const turn = JSON.parse(stdout) as Turn;
    const bytes = turn.written.reduce((sum, name) => sum + statSync(join(tree, name)).size, 0);
    const target = join(input.folder, `copy-${scenario}-${round}`);
    const isCopied = input.copies && turn.written.length > 0;
    const copyMilliseconds = isCopied ? await copyFiles(tree, turn.written, target) : null;
    results.push({ ...turn, bytes, copyMilliseconds });
  }
  return results;
};

type TurnInput = Pick<EditsInput, 'folder' | 'mode'> & { readonly scenario: string };

/** One edit, with nothing copied. */
export const measureTurn = async (
  place: string,
  { scenario, ...input }: TurnInput,
): Promise<EditResult> => {
  const [turn] = await measureEdits({ ...input, place, scenarios: [scenario], copies: false });
  if (turn === undefined) throw new Error(`The turn ${scenario} was not measured.`);
  return turn;
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
  await settle(target);
  const copy = `xargs -0 -n 2000 cp --parents -t ${quote(target)} < ${quote(list)}`;
  const line = `cd ${quote(tree)} && ${copy} && sync -f ${quote(target)}`;
  const { seconds } = await run('sh', ['-c', line]);
  return seconds * 1000;
};
