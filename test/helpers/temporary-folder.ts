// A folder that lives as long as the test that asked for it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In memory where the system has a place for that: a sync costs nothing there, and what is written is the same. */
export const temporaryFolder = (): string => makeFolder(temporaryParent());

/** Where folders of tests are made; the system's own place when the run has none in memory. */
export const temporaryParent = (): string => process.env.PREPRESS_TEST_MEMORY ?? tmpdir();

/** Other users may pass it, as they may pass a site's folder. */
export const openFolder = (parent: string): string => {
  const folder = mkdtempSync(join(parent, 'prepress-test-'));
  chmodSync(folder, 0o755);
  return folder;
};

const makeFolder = (parent: string): string => {
  const folder = openFolder(parent);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
