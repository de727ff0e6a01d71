// A search in what is in order. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

/** How many of `count` items come first: all for which it is true stand before all others. */
export const countFirst = (count: number, isFirst: (at: number) => boolean): number => {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isFirst(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};
