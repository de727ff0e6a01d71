// The parameters of a raw query, decoded. Runtime-neutral, and written so that the oldest of the edge runtimes can
// run it.

/** The values of one parameter of a raw query, decoded, in their order. */
export const queryValues = (rawQuery: string, name: string): string[] => {
  const values: string[] = [];
  rawQuery.split('&').forEach((pair) => {
    const at = pair.indexOf('=');
    const key = at === -1 ? pair : pair.slice(0, at);
    if (decode(key) === name) values.push(at === -1 ? '' : decode(pair.slice(at + 1)));
  });
  return values;
};

/** Percent-decoding that leaves a malformed text as it is. */
const decode = (text: string): string => {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch (_malformed) {
    return spaced;
  }
};
