// A folder that lives as long as the test that asked for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const temporaryFolder = (): string => makeFolder(tmpdir());

/** The same, in memory where the system has a place for that: for tests that write very much. */
export const memoryFolder = (): string => makeFolder(process.env.PREPRESS_TEST_MEMORY ?? tmpdir());

const makeFolder = (parent: string): string => {
  const folder = mkdtempSync(join(parent, 'prepress-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
