// The workers that are bundled beside the program; absent when it runs from its sources.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Name =
  | 'build-worker'
  | 'render-worker'
  | 'emit-worker'
  | 'read-worker'
  | 'job-worker'
  | 'format-worker'
  | 'page-worker'
  | 'page-stage-worker';

/** `place`: address of the program's own file; another one only in tests. */
export const findBundledWorker = (name: Name, place = import.meta.url): string | null => {
  const file = fileURLToPath(new URL(`./${name}.js`, place));
  return existsSync(file) ? file : null;
};
