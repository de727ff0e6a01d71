// data/changes.json: what the last build changed, for whoever carries the tree to its readers. Written
// whole after each build that changed a byte.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { BuildReport } from '../build/run-build.ts';
import { writeWhole } from '../emit/write-whole.ts';
import { copiesOf, everyAddress, type PurgeOptions, purgeOf } from '../paths/purge.ts';

export type Changes = {
  readonly generation: number;
  /** The whole tree is new, or it is not known what changed: the lists are empty, and everything is to be
   * carried. */
  readonly everything: boolean;
  /** Paths relative to the output. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Addresses that caches must forget, with all spellings of their queries; of thousands of files, patterns. */
  readonly purge: readonly string[];
  /** Names by which caches know the same: `posts`, `post-{id}`, `settings`. */
  readonly surrogateKeys: readonly string[];
};

export const changesOf = (report: BuildReport, options: PurgeOptions): Changes => {
  const { basePath } = options;
  const { names } = report.files;
  if (names === null) return everythingChanged(report.generation, basePath);
  const { written, removed } = names;
  const added = new Set(names.added ?? []);
  const inOutput = (file: string): string[] =>
    [file, ...copiesOf(file, options)].map((one) => `${basePath}/content/${one}`.slice(1));
  const touched = [...written, ...removed];
  return {
    generation: report.generation,
    everything: false,
    added: written.filter((file) => added.has(file)).flatMap(inOutput),
    changed: written.filter((file) => !added.has(file)).flatMap(inOutput),
    removed: removed.flatMap(inOutput),
    purge: purgeOf(touched, options),
    surrogateKeys: [...new Set(touched.flatMap(surrogateKeysOf))].sort(),
  };
};

export const everythingChanged = (generation: number, basePath: string): Changes => ({
  generation,
  everything: true,
  added: [],
  changed: [],
  removed: [],
  purge: everyAddress(basePath),
  surrogateKeys: [],
});

const SINGULAR: Readonly<Record<string, string>> = {
  posts: 'post',
  pages: 'page',
  tags: 'tag',
  authors: 'author',
};

/** Files by slug have the keys of their twins by id. */
const surrogateKeysOf = (file: string): string[] => {
  const [resource = '', second = '', third] = file.split('/');
  if (resource === 'settings') return ['settings'];
  const singular = SINGULAR[resource];
  if (singular === undefined) return [];
  if (third === undefined) return [resource];
  return second === 'slug' ? [] : [`${singular}-${second}`];
};

const CHANGES_FILE = 'changes.json';

/** Number of the build that the file tells about; null when there is none that can be read. */
export const findChangesGeneration = (dataFolder: string): number | null => {
  try {
    const text = readFileSync(join(dataFolder, CHANGES_FILE), 'utf8');
    return z.object({ generation: z.int() }).parse(JSON.parse(text)).generation;
  } catch {
    return null;
  }
};

export const writeChanges = (dataFolder: string, changes: Changes): void =>
  writeWhole(join(dataFolder, CHANGES_FILE), `${JSON.stringify(changes)}\n`);
