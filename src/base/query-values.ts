// The parameters of a raw query, decoded. Runtime-neutral, and written so that the oldest of the edge runtimes can
// run it.

/**
 * The values of one parameter of a raw query, decoded, in their order. Clients that send a list as `include[0]=tags` or
 * `include[]=tags` mean `include=tags`.
 */
export const queryValues = (rawQuery: string, name: string): string[] => {
  const values: string[] = [];
  rawQuery.split('&').forEach((pair) => {
    const at = pair.indexOf('=');
    const key = at === -1 ? pair : pair.slice(0, at);
    if (decode(key).replace(INDEX, '') === name)
      values.push(at === -1 ? '' : decode(pair.slice(at + 1)));
  });
  return values;
};

const INDEX = /\[\d{0,3}\]$/;

/** Percent-decoding that leaves a malformed text as it is. */
const decode = (text: string): string => {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch (_malformed) {
    return spaced;
  }
};
