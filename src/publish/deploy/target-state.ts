// What is known of one target of the setting `deploy`: data/deploys/target-{hash}.json. The generation is written after all
// of it is there. A file that cannot be read counts as a target of which nothing is known.
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';

const schema = z.object({
  /** Its name, for people. */
  target: z.string(),
  /** The newest build that stands there whole; null: not known. */
  generation: z.int().nullable(),
  /** Id of the journal's entry of that build. */
  entry: z.string().nullable(),
  /** The settings that decide which files it gets. */
  facts: z.string(),
  /** Paths of the content folders that it may have: one, unless settings moved it since the last run that ended well. */
  trees: z.array(z.string()),
  /** A run began and did not end yet. */
  isUnderWay: z.boolean(),
  /** Milliseconds, as are the others. */
  carriedAt: z.number().nullable(),
  /** Attempts that failed since the last one that did not. */
  failures: z.int(),
  failingSince: z.number().nullable(),
  lastError: z.object({ code: z.string(), message: z.string() }).nullable(),
  nextTryAt: z.number().nullable(),
});

export type TargetState = z.infer<typeof schema>;

export const stateFileOf = (folder: string, id: string): string =>
  join(folder, `target-${id}.json`);

/** Held by the program that carries to the target. */
export const lockFileOf = (folder: string, id: string): string => join(folder, `${id}.lock.db`);

/** Of a target that nothing is wrong with. */
export const NO_FAILURE = {
  failures: 0,
  failingSince: null,
  lastError: null,
  nextTryAt: null,
};

export const readTargetState = (file: string, target: string): TargetState => ({
  ...(readJsonFile(schema, file) ?? NOTHING_CARRIED),
  target,
});

const NOTHING_CARRIED = {
  ...{ generation: null, entry: null, facts: '', trees: [], carriedAt: null },
  ...{ isUnderWay: false, ...NO_FAILURE },
};

export const writeTargetState = (file: string, state: TargetState): void =>
  writeWhole(file, `${JSON.stringify(state)}\n`);
