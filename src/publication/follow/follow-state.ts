// What a program that follows a source last saw of it, in a small file beside the database: `status` reads it. In the
// database it would be a commit with each look.

import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { problemOf } from '../../base/sqlite/database-fault.ts';

const schema = z.object({
  /** Without password or key. */
  source: z.string(),
  /** When it was last found as it was, or taken from; milliseconds. */
  checkedAt: z.number().nullable(),
  importedAt: z.number().nullable(),
  /** Why it cannot be read, since when. */
  error: z.object({ code: z.string(), message: z.string(), since: z.number() }).nullable(),
});

export type FollowState = Readonly<z.infer<typeof schema>>;

/** What was last seen of this source; of another one, nothing. */
export const readFollowState = (path: string, source: string): FollowState => {
  const seen = readJsonFile(schema, path);
  if (seen?.source === source) return seen;
  return { source, checkedAt: null, importedAt: null, error: null };
};

/** A disk that takes nothing stops no look. */
export const writeFollowState = (path: string, state: FollowState): void => {
  try {
    writeWhole(path, `${JSON.stringify(state, null, 1)}\n`);
  } catch {
    // What cannot be noted is not shown.
  }
};

type Seen = { readonly path: string; readonly source: string; readonly clock: Clock };

/** Notes why `work` fails at a source that was seen before; throws what it throws. */
export const notingFailure = async <T>(seen: Seen, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const before = readFollowState(seen.path, seen.source);
    const since = before.error?.since ?? seen.clock.now();
    if (before.checkedAt !== null) {
      writeFollowState(seen.path, { ...before, error: { ...problemOf(error), since } });
    }
    throw error;
  }
};
