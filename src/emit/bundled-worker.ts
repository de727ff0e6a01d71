// The workers that are bundled beside the program; absent when it runs from its sources.
import { existsSync } from 'node:fs';

export const findBundledWorker = (name: string): string | null => {
  const file = new URL(`./${name}.js`, import.meta.url);
  return existsSync(file) ? file.pathname : null;
};
