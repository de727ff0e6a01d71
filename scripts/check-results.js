// The last lines of a check: what failed, by name, and how many tests passed and failed, each counted once.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const namesOfFailed = ({ testResults = [] }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded has failed without a test that did.
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map((test) => `${file}: ${test.fullName}`);
  });

/**
 * The lines to print, and whether all is well. `reports` are Vitest's or the bench's, parsed; `null` is one that cannot be
 * read, which counts as failed, as each name of `failedSteps` does. Tests of `again` ran before, in another way: only
 * those that failed are named.
 * @param {{ reports: (any | null)[], again?: (any | null)[], failedSteps?: string[] }} checked
 */
export const countResults = ({ reports, again = [], failedSteps = [] }) => {
  const readable = reports.filter((report) => report !== null);
  const sum = (...fields) =>
    readable.reduce(
      (total, report) => fields.reduce((all, field) => all + report[field], total),
      0,
    );
  const passed = sum('numPassedTests');
  const unreadable = reports.length - readable.length;
  const failed = sum('numFailedTests') + failedSteps.length + unreadable;
  const names = [...readable, ...again.filter((report) => report !== null)].flatMap(namesOfFailed);
  return {
    lines: [
      ...[...names, ...failedSteps].map((name) => `failed: ${name}`),
      ...(unreadable > 0
        ? [`failed: ${unreadable} of ${reports.length} reports cannot be read`]
        : []),
      `${passed} passed, ${failed} failed, ${sum('numPendingTests', 'numTodoTests')} skipped`,
    ],
    isPassed: failed === 0 && passed > 0,
  };
};

/** `null` for one that is absent or broken off. */
export const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};
