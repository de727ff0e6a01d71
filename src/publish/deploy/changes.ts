// data/changes.json: what the last build changed, for whoever carries the tree to its readers. Written
// whole after each build that changed a byte.
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWholeBeside } from '../../base/files/write-whole.ts';
import { forEachYielding } from '../../base/threads/for-each-yielding.ts';
import { ALL_CHANGED, type ChangedNames, collectNames } from '../../content/paths/changed-names.ts';
import { findDocument } from '../../content/paths/sidecars.ts';
import { isBlob } from '../../content/tree/names.ts';
import type { BuildReport } from '../build/run-build.ts';
import { copiesOf, everyAddress, type PurgeOptions, purgeOf } from './purge/purge.ts';

export type Changes = ChangedNames & {
  readonly generation: number;
  /** Paths relative to the output. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Addresses that caches must forget, with all spellings of their queries; of thousands of files, patterns. */
  readonly purge: readonly string[];
};

/** Takes many ticks of the event loop: a build may have written hundreds of thousands of files. */
export const changesOf = async (report: BuildReport, options: PurgeOptions): Promise<Changes> => {
  const { basePath } = options;
  const { names } = report.files;
  if (names === null) return everythingChanged(report.generation, basePath);
  const fresh = new Set(names.added ?? []);
  const [added, changed, removed]: [string[], string[], string[]] = [[], [], []];
  const collector = collectNames(options);
  const tell = (list: string[], file: string): void => {
    for (const one of [file, ...copiesOf(file, options)]) {
      list.push(`${basePath}/content/${one}`.slice(1));
    }
    collector.add(file);
  };
  await forEachYielding(names.written, (file) => tell(fresh.has(file) ? added : changed, file));
  await forEachYielding(names.removed, (file) => tell(removed, file));
  // Nobody asked for a blob before it was named.
  const isNewBlob = (file: string): boolean =>
    isBlob(findDocument(file) ?? file) && fresh.has(file);
  const written = names.written.filter((file) => !isNewBlob(file));
  return {
    generation: report.generation,
    ...collector.names(),
    added,
    changed,
    removed,
    purge: await purgeOf([...written, ...names.removed], options),
  };
};

export const everythingChanged = (generation: number, basePath: string): Changes => ({
  generation,
  ...ALL_CHANGED,
  added: [],
  changed: [],
  removed: [],
  purge: everyAddress(basePath),
});

export const CHANGES_FILE = 'changes.json';

/** Number of the build that the file tells about; null when there is none that can be read. */
export const findChangesGeneration = (dataFolder: string): number | null =>
  readJsonFile(z.object({ generation: z.int() }), join(dataFolder, CHANGES_FILE))?.generation ??
  null;

export const writeChanges = (dataFolder: string, changes: Changes): Promise<void> =>
  writeWholeBeside(join(dataFolder, CHANGES_FILE), `${JSON.stringify(changes)}\n`);
