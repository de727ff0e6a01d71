// Long loops of a program that answers others meanwhile: each tick of the event loop takes so many items.

/** Each item takes some microseconds. */
const SLICE = 5_000;

/** Items may be added while it works. */
export const forEachYielding = async <Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  slice = SLICE,
): Promise<void> => {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % slice === 0) await new Promise((resolve) => setImmediate(resolve));
  }
};
