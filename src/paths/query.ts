// The query grammar of the content interface (decisions, Files): parameters in any order, repeated ones
// merged, values decoded, trimmed and lower-cased, everything unknown ignored. Runtime-neutral.
import type { ResourceShape } from './endpoints.ts';

export type ContentQuery = {
  /** Known include values, in alphabetical order, each once. */
  readonly includes: readonly string[];
  /** The resource's filter was asked for. */
  readonly isFiltered: boolean;
};

/** The values of one parameter of a raw query, decoded, in their order. */
export const queryValues = (rawQuery: string, name: string): string[] => {
  const values: string[] = [];
  for (const pair of rawQuery.split('&')) {
    const at = pair.indexOf('=');
    const key = at === -1 ? pair : pair.slice(0, at);
    if (decode(key) === name) values.push(at === -1 ? '' : decode(pair.slice(at + 1)));
  }
  return values;
};

export const parseQuery = (rawQuery: string, shape: ResourceShape): ContentQuery => {
  const asked = tokens(queryValues(rawQuery, 'include'));
  const { filter } = shape;
  return {
    includes: shape.includes.filter((include) => asked.includes(include)),
    isFiltered: filter !== null && tokens(queryValues(rawQuery, 'filter')).includes(filter.value),
  };
};

const tokens = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',')).map((token) => token.trim().toLowerCase());

/** Percent-decoding that leaves a malformed text as it is. */
const decode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
};
