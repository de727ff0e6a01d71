// The first items of an order without ordering the rest: most lists are long, and most pages short. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.

/** Less than 0 when item `a` comes before item `b`; never 0 for two items. */
export type Compare = (a: number, b: number) => number;

export type PageOf = { readonly count: number; readonly from: number; readonly to: number };

/** Of the items 0 to `count` - 1: those from place `from` on, before place `to`. */
export const selectPage = (page: PageOf, compare: Compare): number[] => {
  const to = Math.min(page.to, page.count);
  if (page.from >= to) return [];
  // A heap of the best ones so far, the worst of them first.
  const heap: number[] = [];
  for (let item = 0; item < page.count; item += 1) {
    if (heap.length < to) {
      heap.push(item);
      if (heap.length === to) buildHeap(heap, compare);
    } else if (compare(item, heap[0] as number) < 0) {
      heap[0] = item;
      sink(heap, 0, compare);
    }
  }
  return heap.sort(compare).slice(page.from);
};

const buildHeap = (heap: number[], compare: Compare): void => {
  for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) sink(heap, at, compare);
};

const sink = (heap: number[], from: number, compare: Compare): void => {
  const item = heap[from] as number;
  let at = from;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) break;
    const right = child + 1;
    if (right < heap.length && compare(heap[right] as number, heap[child] as number) > 0) {
      child = right;
    }
    if (compare(heap[child] as number, item) <= 0) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = item;
};
