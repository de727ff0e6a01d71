// Checks data/changes.json: it tells of the newest build, and what it names is there, or gone.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { findStat } from '../../base/files/stat-key.ts';
import type { Finding } from '../manifest/finding.ts';
import { CHANGES_FILE } from './changes.ts';

const names = z.array(z.string());

const schema = z.object({
  generation: z.int(),
  added: names,
  changed: names,
  removed: names,
});

type Input = {
  readonly dataFolder: string;
  readonly output: string;
  /** Findings name paths relative to it. */
  readonly contentFolder: string;
  /** Of the newest build that changed a byte; 0: none was made. */
  readonly generation: number;
};

export const verifyChanges = (input: Input): Finding[] => {
  const { dataFolder, output, contentFolder, generation } = input;
  const file = join(dataFolder, CHANGES_FILE);
  const tell = (reason: string): Finding[] => [
    { path: relative(contentFolder, file), reason: `${reason}; the next build writes it again` },
  ];
  if (generation === 0) return [];
  if (!existsSync(file)) return tell('the list of changes is missing');
  const changes = readJsonFile(schema, file);
  if (changes === null) return tell('the list of changes cannot be read');
  if (changes.generation !== generation) {
    return tell(`the list tells of build ${changes.generation}, not ${generation}`);
  }
  const { added, changed, removed } = changes;
  const stands = (path: string): boolean => findStat(join(output, path)) !== undefined;
  // A copy goes with the files of its host, and its document stays.
  const isCopy = (path: string): boolean =>
    path.endsWith('/index.html') && stands(path.replace(/html$/, 'json'));
  const absent = [...added, ...changed].find((path) => !stands(path) && !isCopy(path));
  if (absent !== undefined) return tell(`the list names ${absent}, which is not there`);
  const present = removed.find(stands);
  return present === undefined ? [] : tell(`the list says that ${present} was removed`);
};
