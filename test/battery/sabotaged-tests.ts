// Runs a test on a source that breaks its promise: it must fail, and not because the source no longer runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Sabotage } from './program.ts';
import { SABOTAGES_IN, SABOTAGES_PART, sized } from './size.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** `testName`: the test of a slow file that keeps watch. */
export type Row = readonly [
  promise: string,
  testFile: string,
  sabotage: Sabotage,
  testName?: string,
];

type Watch = {
  readonly testFile: string;
  readonly sabotage: Sabotage;
  readonly testName: string | undefined;
};

const runOn = async ({ testFile, sabotage, testName }: Watch): Promise<string> => {
  const child = spawn(
    process.execPath,
    [
      VITEST,
      'run',
      '--config',
      'vitest.sabotage.config.ts',
      testFile,
      ...(testName === undefined ? [] : ['-t', testName]),
    ],
    {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', PREPRESS_TEST_SABOTAGE: JSON.stringify(sabotage) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return output + errors;
};

/** The short form takes every eighth, the same in every run, and one of few. */
const EVERY = sized({ short: SABOTAGES_IN, long: 1 });

/** Two at a time: most of each is the start of a process. */
export const tryRows = (all: readonly Row[]): void => {
  const every = Math.min(EVERY, all.length);
  const rows = all.filter((_, at) => at % every === SABOTAGES_PART % every);
  for (const [promise, testFile, sabotage, testName] of rows) {
    test.concurrent(`noticed when broken: ${promise}`, async () => {
      const output = await runOn({ testFile, sabotage, testName });
      expect(output).toContain(`sabotaged ${sabotage.file}`);
      expect(output).toMatch(/Tests .*\d+ failed/);
      expect(output).not.toMatch(/SyntaxError|ReferenceError|Not once/);
    });
  }
};
