// Finds where a tag ends as word counting sees it: at the first ">" outside quotes; a tag with an
// unpaired quote, and "<>", are text. Linear in the length of the body, whatever it holds: where one
// search ended in vain, the next one stops.

const GREATER_THAN = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

export type TagEndFinder = {
  /** Position of the ">" of the tag that starts at the "<" at `start`, or -1. Starts must ascend. */
  readonly find: (start: number) => number;
  /** No tag starts before. */
  readonly vainBefore: () => number;
};

export const createTagEndFinder = (html: Uint8Array): TagEndFinder => {
  /** A bit for each byte, once a search ended in vain. */
  let inVain: Uint8Array | null = null;
  let inVainBefore = 0;

  const findStop = (from: number): number => {
    for (let at = from; at < html.length; at += 1) {
      const code = html[at];
      if (code === GREATER_THAN || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return at;
    }
    return -1;
  };

  /** Where the last walk looked for a stop, and the first that it found. */
  let visited: number[] = [];
  let firstStop = -1;

  const walk = (start: number): number => {
    let at = start + 1;
    visited = [];
    while (inVain === null || !hasBit(inVain, at)) {
      const stop = findStop(at);
      if (visited.length === 0) firstStop = stop;
      visited.push(at);
      if (stop === -1) return -1;
      const code = html[stop] ?? GREATER_THAN;
      if (code === GREATER_THAN) return stop;
      const close = html.indexOf(code, stop + 1);
      if (close === -1) return -1;
      at = close + 1;
    }
    return -1;
  };

  const find = (start: number): number => {
    if (start < inVainBefore) return -1;
    const end = walk(start);
    if (end !== -1) return end > start + 1 ? end : -1;
    const stop = visited.length === 0 ? findStop(start + 1) : firstStop;
    inVainBefore = stop === -1 ? html.length : stop;
    inVain ??= new Uint8Array((html.length >> 3) + 1);
    for (const at of visited) setBit(inVain, at);
    return -1;
  };

  return { find, vainBefore: () => inVainBefore };
};

const hasBit = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;

const setBit = (bits: Uint8Array, at: number): void => {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
};
