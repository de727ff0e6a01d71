// The parameters of a raw query, decoded. Runtime-neutral, and written so that the oldest of the edge runtimes can
// run it.

/**
 * The values of one parameter of a raw query, decoded, in their order. Clients that send a list as `include[0]=tags` or
 * `include[]=tags` mean `include=tags`.
 */
export const queryValues = (rawQuery: string, name: string): string[] => {
  const values: string[] = [];
  rawQuery.split('&').forEach((pair) => {
    const parts = pair.split('=');
    const key = parts.shift() as string;
    if (decode(key).replace(/\[\d{0,3}\]$/, '') === name) values.push(decode(parts.join('=')));
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
