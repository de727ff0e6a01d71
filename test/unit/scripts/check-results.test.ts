// The last lines of `npm run check`, from reports of Vitest and of the bench, and from the steps that failed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countResults, readReport } from '../../../scripts/check-results.js';
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

test('what passed is counted, of tests and of the bench', () => {
  expect(countResults({ reports: [PASSED, BENCH] })).toEqual({
    lines: ['5 passed, 0 failed, 2 skipped'],
    isPassed: true,
  });
});

test('a failed test is named with its file, a failed step by its name', () => {
  const failed = {
    ...counts(1, 1),
    testResults: [tests('b.test.ts', ['adds', 'passed'], ['divides', 'failed'])],
  };
  expect(countResults({ reports: [failed, BENCH], failedSteps: ['lint'] })).toEqual({
    lines: ['failed: b.test.ts: divides', 'failed: lint', '4 passed, 2 failed, 2 skipped'],
    isPassed: false,
  });
});

test('a test that ran again on another Node.js is named when it failed, and counted once', () => {
  const again = { ...counts(1, 1), testResults: [tests('a.test.ts', ['adds', 'failed'])] };
  expect(countResults({ reports: [PASSED], again: [again], failedSteps: ['Node.js 24'] })).toEqual({
    lines: ['failed: a.test.ts: adds', 'failed: Node.js 24', '2 passed, 1 failed, 1 skipped'],
    isPassed: false,
  });
});

test('a file that could not be loaded is named', () => {
  const file = join(process.cwd(), 'c.test.ts');
  const unloaded = {
    ...counts(1),
    testResults: [{ name: file, status: 'failed', assertionResults: [] }],
  };
  const { lines } = countResults({ reports: [unloaded], failedSteps: ['npm test'] });
  expect(lines).toEqual(['failed: c.test.ts', 'failed: npm test', '1 passed, 1 failed, 1 skipped']);
});

test('a report that is absent or broken off fails the check', () => {
  const file = join(temporaryFolder(), 'report.json');
  const absent = readReport(file);
  writeFileSync(file, '{"numPassedTests":');
  expect(countResults({ reports: [PASSED, absent, readReport(file)] })).toEqual({
    lines: ['failed: 2 of 3 reports cannot be read', '2 passed, 2 failed, 1 skipped'],
    isPassed: false,
  });
});

test('a check in which nothing was tried fails', () => {
  expect(countResults({ reports: [{ ...counts(0), testResults: [] }] }).isPassed).toBe(false);
});
