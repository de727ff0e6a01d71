// Where this package is: templates, and what a new project gets, lie in it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder above that has a package.json: the program may be bundled or not. */
export const packageFolder = (): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
};
