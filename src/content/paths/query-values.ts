// The parameters of a raw query, decoded. Runtime-neutral, and written so that the oldest of the edge runtimes can
// run it.

/**
 * The values of one parameter of a raw query, decoded, in their order. Clients that send a list as `include[0]=tags` or
 * `include[]=tags` mean `include=tags`.
 */
export const queryValues = (rawQuery: string, name: string): string[] =>
  rawQuery
    .split('&')
    .map((pair) => pair.split('='))
    .filter((parts) => decode(parts.shift() as string).replace(/\[\d{0,3}\]$/, '') === name)
    .map((parts) => decode(parts.join('=')));

/** Codes that mean nothing are left as they are; what stands beside them is decoded, so that rules of hosts can read the same. */
const decode = (text: string): string =>
  text
    .replace(/\+/g, ' ')
    .replace(/%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})/gi, (codes) => {
      try {
        return decodeURIComponent(codes);
      } catch {
        return codes;
      }
    });

/** Without the space around it: that of ASCII, which rules of hosts know. */
export const trimmed = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const isSpace = (code: number): boolean => code === 32 || (code > 8 && code < 14);
