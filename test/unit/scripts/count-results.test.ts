// The end of `.ci/run`, as it is called there: reports of Vitest and of the bench, and the steps that failed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const counts = (passed: number, failed = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 1,
  numTodoTests: 0,
});
const tests = (file: string, ...results: readonly (readonly [string, string])[]) => ({
  name: join(process.cwd(), file),
  status: results.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  assertionResults: results.map(([fullName, status]) => ({ fullName, status })),
});
const PASSED = { ...counts(2), testResults: [tests('a.test.ts', ['adds', 'passed'])] };
const BENCH = { ...counts(3), checks: [{ name: 'memory' }] };

/** What the script prints, line by line, and its exit code. A report that is a text is written as it is. */
const run = (reports: readonly (object | string)[], ...failedSteps: readonly string[]) => {
  const folder = temporaryFolder();
  const files = reports.map((report, index) => {
    const file = join(folder, `${index}.json`);
    if (report !== 'absent')
      writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
    return file;
  });
  const { stdout, status } = spawnSync(
    process.execPath,
    ['scripts/count-results.js', ...files, '--', ...failedSteps],
    { encoding: 'utf8' },
  );
  return { lines: stdout.trimEnd().split('\n'), status };
};

test('what passed is counted, of tests and of the bench', () => {
  expect(run([PASSED, BENCH])).toEqual({ lines: ['5 passed, 0 failed, 2 skipped'], status: 0 });
});

test('a failed test is named with its file, a failed step by its command', () => {
  const failed = {
    ...counts(1, 1),
    testResults: [tests('b.test.ts', ['adds', 'passed'], ['divides', 'failed'])],
  };
  expect(run([failed, BENCH], 'npm run lint')).toEqual({
    lines: ['failed: b.test.ts: divides', 'failed: npm run lint', '4 passed, 2 failed, 2 skipped'],
    status: 1,
  });
});

test('a file that could not be loaded is named', () => {
  const unloaded = {
    ...counts(1),
    testResults: [
      { name: join(process.cwd(), 'c.test.ts'), status: 'failed', assertionResults: [] },
    ],
  };
  expect(run([unloaded], 'npm test').lines).toEqual([
    'failed: c.test.ts',
    'failed: npm test',
    '1 passed, 1 failed, 1 skipped',
  ]);
});

test.each(['absent', '{"numPassedTests":'])('a report that is %j fails the run', (report) => {
  expect(run([PASSED, report])).toEqual({
    lines: ['failed: 1 of 2 reports cannot be read', '2 passed, 1 failed, 1 skipped'],
    status: 1,
  });
});

test('a run in which nothing was tried fails', () => {
  expect(run([{ ...counts(0), testResults: [] }]).status).toBe(1);
});
