// What a program that follows a source last saw of it, in a small file beside the database: `status` reads it. In the
// database it would be a commit with each look.

import * as z from 'zod';
import { readJsonFile } from '../../base/files/read-json.ts';
import { writeWhole } from '../../base/files/write-whole.ts';

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
