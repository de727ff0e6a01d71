// A filter of the query language that a test takes for granted.
import { type Filter, parseFilter } from '../../src/content/queries/filter.ts';

/** Throws for a text that is no filter. */
export const readFilter = (text: string, nowMs = 0): Filter => {
  const filter = parseFilter(text, nowMs);
  if (typeof filter === 'string') throw new Error(`${text}: ${filter}`);
  return filter;
};
