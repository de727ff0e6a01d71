// A folder that the tests of one file share, for work that is too slow to do again in each of them.
import { rmSync } from 'node:fs';
import { openFolder, temporaryParent } from './temporary-folder.ts';

export type SuiteFolder = { readonly path: string; readonly remove: () => void };

/** `beforeAll` makes the folder by asking for its path; `remove` runs after the last test. */
export const suiteFolder = (): SuiteFolder => {
  let made: string | null = null;
  return {
    get path() {
      // Not before: where all tests are left out, nobody removes it.
      made ??= openFolder(temporaryParent());
      return made;
    },
    remove: () => {
      if (made !== null) rmSync(made, { recursive: true, force: true });
    },
  };
};
