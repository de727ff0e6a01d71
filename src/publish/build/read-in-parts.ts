// Reads what concerns many records in parts, so that a server that builds answers others in between.
import { setImmediate as tick } from 'node:timers/promises';

/** Records that are asked for at once. */
const PART = 1_000;

/** What `read` gives for each part of the ids, in their order; few ids are read at once. */
export const readInParts = async <Found>(
  ids: Iterable<string>,
  read: (part: readonly string[]) => readonly Found[],
): Promise<Found[]> => {
  const all = [...ids];
  const found: Found[] = [];
  for (let at = 0; at < all.length; at += PART) {
    if (at > 0) await tick();
    for (const one of read(all.slice(at, at + PART))) found.push(one);
  }
  return found;
};
