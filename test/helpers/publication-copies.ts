// A publication that `prepress init` makes once for the tests of a file, each of which works in a copy of its own.
import { afterAll, beforeAll } from 'vitest';
import { prepress } from './run-prepress.ts';
import { copyPublication } from './serve.ts';
import { suiteFolder } from './suite-folder.ts';

/** Resolves to the folder of a copy that lives as long as the test that asked for it. */
export const copiesOfInit = (...args: readonly string[]): (() => string) => {
  const suite = suiteFolder();
  beforeAll(() => prepress(suite.path, ['init', ...args]));
  afterAll(suite.remove);
  return () => copyPublication(suite.path);
};
