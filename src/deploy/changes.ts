// data/changes.json: what the last build changed, for whoever carries the tree to its readers. Written
// whole after each build that changed a byte.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildReport } from '../build/run-build.ts';
import { copiesOf, everyAddress, type PurgeOptions, purgeOf } from '../paths/purge.ts';

export type Changes = {
  readonly generation: number;
  /** The whole tree is new: the lists are empty, and everything is to be carried. */
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
  const written = names?.written ?? [];
  const removed = names?.removed ?? [];
  const added = new Set(names?.added ?? []);
  const inOutput = (file: string): string[] =>
    [file, ...copiesOf(file, options)].map((one) => `${basePath}/content/${one}`.slice(1));
  const touched = [...written, ...removed];
  return {
    generation: report.generation,
    everything: names === null,
    added: written.filter((file) => added.has(file)).flatMap(inOutput),
    changed: written.filter((file) => !added.has(file)).flatMap(inOutput),
    removed: removed.flatMap(inOutput),
    purge: names === null ? everyAddress(basePath) : purgeOf(touched, options),
    surrogateKeys: [...new Set(touched.flatMap(surrogateKeysOf))].sort(),
  };
};

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

export const writeChanges = (dataFolder: string, changes: Changes): void => {
  const file = join(dataFolder, 'changes.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(changes)}\n`, { flush: true });
  renameSync(`${file}.new`, file);
};
