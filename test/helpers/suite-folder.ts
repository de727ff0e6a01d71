// A folder that the tests of one file share, for work that is too slow to do again in each of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SuiteFolder = { readonly path: string; readonly remove: () => void };

/** `beforeAll` makes the folder and returns `remove`, which then runs after the last test. */
export const suiteFolder = (): SuiteFolder => {
  const path = mkdtempSync(join(tmpdir(), 'prepress-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
