// Small files of JSON in the data folder: what one holds, or nothing.
import { readFileSync } from 'node:fs';
import type * as z from 'zod';

/** Null for a file that is absent, cannot be read or holds something else. */
export const readJsonFile = <T>(schema: z.ZodType<T>, path: string): T | null => {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
};
