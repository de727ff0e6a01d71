// Finds where a tag ends as word counting sees it: at the first ">" outside quotes; a tag with an
// unpaired quote, and "<>", are text. Linear in the length of the body, whatever it holds: where one
// search ended in vain, the next one stops.

const GREATER_THAN = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

/** Position of the ">" of the tag that starts at the "<" at `start`, or -1. Starts must ascend. */
export type TagEndFinder = (start: number) => number;

export const createTagEndFinder = (html: Uint8Array): TagEndFinder => {
  const inVain = new Set<number>();
  let inVainBefore = 0;

  const findStop = (from: number): number => {
    for (let at = from; at < html.length; at += 1) {
      const code = html[at];
      if (code === GREATER_THAN || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return at;
    }
    return -1;
  };

  const find = (start: number, onVisit?: (at: number) => void): number => {
    let at = start + 1;
    while (!inVain.has(at)) {
      onVisit?.(at);
      const stop = findStop(at);
      if (stop === -1) return -1;
      const code = html[stop] ?? GREATER_THAN;
      if (code === GREATER_THAN) return stop;
      const close = html.indexOf(code, stop + 1);
      if (close === -1) return -1;
      at = close + 1;
    }
    return -1;
  };

  return (start) => {
    if (start < inVainBefore) return -1;
    const end = find(start);
    if (end !== -1) return end > start + 1 ? end : -1;
    const stop = findStop(start + 1);
    inVainBefore = stop === -1 ? html.length : stop;
    const visited: number[] = [];
    find(start, (at) => visited.push(at));
    for (const at of visited) inVain.add(at);
    return -1;
  };
};
