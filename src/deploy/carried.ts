// What earlier runs carried to a target besides the content tree: pages for people, and what the user put into
// the output. Only of these is it known that they may be removed there. A record beside the database; one
// that cannot be read counts as empty, and what it held stays.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../emit/write-whole.ts';

export type Carried = {
  readonly has: (path: string) => boolean;
  /** Called before the first file is put, with all that may stand there from then on, and at the end. */
  readonly save: (paths: Iterable<string>) => void;
};

/** For targets that list only what was carried. */
export const EVERYTHING_CARRIED: Carried = { has: () => true, save: () => undefined };

export const openCarried = (dataFolder: string, target: string): Carried => {
  const name = createHash('sha256').update(target).digest('hex').slice(0, 16);
  const file = join(dataFolder, 'deploys', `carried-${name}.json`);
  const known = new Set(read(file));
  return {
    has: (path) => known.has(path),
    save: (paths) => writeWhole(file, JSON.stringify([...paths])),
  };
};

const read = (file: string): string[] => {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
};
