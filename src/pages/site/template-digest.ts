// What pages are made of beside the content: while this is the same, equal views give equal pages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import packageFacts from '../../../package.json' with { type: 'json' };

/** `sources`: files and folders of templates. */
export const templateDigest = (sources: readonly string[]): string => {
  const hash = createHash('sha256').update(packageFacts.version).update(process.version);
  for (const file of sources.flatMap(filesIn))
    hash.update(`\n${file}\n`).update(readFileSync(file));
  return hash.digest('base64url');
};

const filesIn = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .flatMap(({ name }) => filesIn(join(path, name)))
    .sort();
};
