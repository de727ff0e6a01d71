// `npm run sabotage`: tries rows of the table, prints what came of each, and ends with 1 if one was not noticed.
import { setTimeout as sleep } from 'node:timers/promises';
import { findChanged, findDefaultRevision } from './changed.ts';
import type { Row } from './row.ts';
import { type Outcome, tryRows } from './try-rows.ts';
import { createWatcher } from './watcher.ts';

const CONFIG = 'vitest.sabotage.config.ts';

export type MainOptions = {
  /** The folder of the project. */
  readonly root: string;
  readonly rows: readonly Row[];
  /** Only rows whose source or watch differs from a revision. */
  readonly isChanged: boolean;
  /** The revision; else a part of the names of the rows to try. */
  readonly named: string | undefined;
  readonly secondsMax: number;
};

/** Returns the exit code. */
export const main = async (options: MainOptions): Promise<number> => {
  const rows = options.isChanged ? changedRows(options) : namedRows(options);
  if (rows.length > 0 || options.isChanged) return summarise(await run(options, rows));
  console.log(`No row has "${options.named}" in its name.`);
  return 1;
};

const namedRows = ({ rows, named = '' }: MainOptions): readonly Row[] =>
  rows.filter(({ name }) => name.includes(named));

const filesOf = ({ file, watch, also = [] }: Row): readonly string[] => [
  file,
  watch,
  ...also.map((edit) => edit.file),
];

const changedRows = ({ root, rows, named }: MainOptions): readonly Row[] => {
  const revision = named ?? findDefaultRevision(root);
  const changed = findChanged(root, revision, [...new Set(rows.flatMap(filesOf))]);
  console.log(`Rows whose source or watch differs from ${revision}:`);
  return rows.filter((row) => filesOf(row).some((file) => changed.has(file)));
};

const run = async (
  { root, secondsMax }: MainOptions,
  rows: readonly Row[],
): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  if (rows.length === 0) return outcomes;
  const begun = performance.now();
  const secondsSince = () => (performance.now() - begun) / 1000;
  const onOutcome = (outcome: Outcome) => {
    outcomes.push(outcome);
    console.log(`${secondsSince().toFixed(1)} s: ${spell(outcome)}`);
  };
  const watcher = await createWatcher(root, CONFIG);
  const trying = tryRows(rows, { watcher, secondsMax, secondsSince, onOutcome });
  if (secondsMax === Number.POSITIVE_INFINITY) await trying;
  else await Promise.race([trying, sleep(secondsMax * 1000, undefined, { ref: false })]);
  const tried = new Set(outcomes.map(({ row }) => row));
  const left = rows.filter((row) => !tried.has(row));
  // What still runs ends with this process.
  for (const row of left) onOutcome({ row, kind: 'left out', reason: 'no time left' });
  if (left.length === 0) await watcher.close();
  return [...outcomes];
};

const spell = ({ row, kind, reason }: Outcome): string =>
  kind === 'noticed' ? `${kind}: ${row.name}` : `${kind}: ${row.name} (${row.watch}): ${reason}`;

const summarise = (outcomes: readonly Outcome[]): number => {
  const count = (kind: Outcome['kind']) => outcomes.filter((one) => one.kind === kind).length;
  const [noticed, left] = [count('noticed'), count('left out')];
  const missed = outcomes.length - noticed - left;
  console.log(`${noticed} noticed, ${missed} not noticed, ${left} left out`);
  return missed === 0 ? 0 : 1;
};
