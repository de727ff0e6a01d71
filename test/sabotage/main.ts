// `npm run sabotage`: tries the rows of the table, prints what came of each, and ends with 1 if one was not noticed.
import { parseArgs } from 'node:util';
import { findChanged, findDefaultRevision } from './changed.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { type Outcome, tryRows } from './try-rows.ts';
import { createWatcher } from './watcher.ts';

const CONFIG = 'vitest.sabotage.config.ts';

/** Runs from `root` with the arguments of the command line; returns the exit code. */
export const main = async (root: string, args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { changed: { type: 'boolean' }, seconds: { type: 'string' } },
  });
  const [given] = positionals;
  const rows = values.changed
    ? changedRows(root, given ?? findDefaultRevision(root))
    : ROWS.filter(({ name }) => name.includes(given ?? ''));
  const outcomes = await run(root, rows, Number(values.seconds ?? Number.POSITIVE_INFINITY));
  return summarise(outcomes);
};

const changedRows = (root: string, revision: string): readonly Row[] => {
  const files = [...new Set(ROWS.flatMap(({ file, watch }) => [file, watch]))];
  const changed = findChanged(root, revision, files);
  console.log(`Rows whose source or watch differs from ${revision}:`);
  return ROWS.filter(({ file, watch }) => changed.has(file) || changed.has(watch));
};

const run = async (root: string, rows: readonly Row[], secondsMax: number): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  if (rows.length === 0) return outcomes;
  const begun = performance.now();
  const watcher = await createWatcher(root, CONFIG);
  try {
    await tryRows(rows, {
      watcher,
      secondsMax,
      secondsSince: () => (performance.now() - begun) / 1000,
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        console.log(`${seconds} s ${spell(outcome)}`);
      },
    });
  } finally {
    await watcher.close();
  }
  return outcomes;
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
