// The last lines of `.ci/run`: what failed, by name, and how many tests and checks passed and failed.
// `node scripts/count-results.js REPORT... -- FAILED_STEP...`: a report is of Vitest, or of the bench with `--report`.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const namesOfFailed = ({ testResults = [] }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has failed without a test that did.
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map((test) => `${file}: ${test.fullName}`);
  });

/**
 * The lines to print, and whether all is well. `reports` are parsed; `null` is one that cannot be read, which counts
 * as failed, as each of `failedSteps` does.
 */
export const countResults = (reports, failedSteps) => {
  const readable = reports.filter((report) => report !== null);
  const sum = (...fields) =>
    readable.reduce(
      (total, report) => fields.reduce((all, field) => all + report[field], total),
      0,
    );
  const passed = sum('numPassedTests');
  const unreadable = reports.length - readable.length;
  const failed = sum('numFailedTests') + failedSteps.length + unreadable;
  const names = [...readable.flatMap(namesOfFailed), ...failedSteps];
  return {
    lines: [
      ...names.map((name) => `failed: ${name}`),
      ...(unreadable > 0
        ? [`failed: ${unreadable} of ${reports.length} reports cannot be read`]
        : []),
      `${passed} passed, ${failed} failed, ${sum('numPendingTests', 'numTodoTests')} skipped`,
    ],
    isPassed: failed === 0 && passed > 0,
  };
};

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  const separator = given.indexOf('--');
  const { lines, isPassed } = countResults(
    given.slice(0, separator).map(readReport),
    given.slice(separator + 1),
  );
  for (const line of lines) console.log(line);
  process.exitCode = isPassed ? 0 : 1;
}
