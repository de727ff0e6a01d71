// A folder that lives as long as the test that asked for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In memory where the system has a place for that: a sync costs nothing there, and what is written is the same. */
export const temporaryFolder = (): string => makeFolder(temporaryParent());

/** Where folders of tests are made; the system's own place when the run has none in memory. */
export const temporaryParent = (): string => process.env.PREPRESS_TEST_MEMORY ?? tmpdir();

const makeFolder = (parent: string): string => {
  const folder = mkdtempSync(join(parent, 'prepress-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
