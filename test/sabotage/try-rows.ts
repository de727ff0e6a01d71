// Tries rows watch by watch: first the watch on the sources as they are, which must pass, then on each sabotage.
import { findControlFault, judge, type Verdict } from './judge.ts';
import type { Row } from './row.ts';
import type { Watcher } from './watcher.ts';

export type Outcome = {
  readonly row: Row;
  readonly kind: Verdict['kind'] | 'control failed' | 'left out';
  readonly reason: string;
};

export type TryOptions = {
  readonly watcher: Watcher;
  /** When it began is 0. */
  readonly secondsSince: () => number;
  /** No row begins that would end after so many seconds, by what its watch took. */
  readonly secondsMax: number;
  readonly onOutcome: (outcome: Outcome) => void;
};

export const tryRows = async (rows: readonly Row[], options: TryOptions): Promise<void> => {
  // Watches that start no programs come first: a short time goes a long way with them.
  const groups = groupByWatch(rows).toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)));
  for (const watched of groups) await tryWatch(watched, options);
};

const isSlow = ([row]: readonly Row[]): boolean =>
  !/^test\/(?:unit|fixtures)\//.test(row?.watch ?? '');

const groupByWatch = (rows: readonly Row[]): readonly (readonly Row[])[] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.watch, row.test]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
};

const tryWatch = async (rows: readonly Row[], options: TryOptions): Promise<void> => {
  const { watcher, secondsSince, secondsMax, onOutcome } = options;
  const say = (row: Row, kind: Outcome['kind'], reason: string) => onOutcome({ row, kind, reason });
  const [first] = rows;
  if (first === undefined) return;
  const begun = secondsSince();
  if (begun >= secondsMax) {
    for (const row of rows) say(row, 'left out', 'no time left');
    return;
  }
  const fault = findControlFault(await watcher.run(first));
  const seconds = secondsSince() - begun;
  for (const row of rows) {
    if (fault !== null) say(row, 'control failed', fault);
    else if (secondsSince() + seconds > secondsMax) say(row, 'left out', 'no time left');
    else {
      const { kind, reason } = judge(await watcher.run(row, row));
      say(row, kind, reason);
    }
  }
};
