// Runs work on items concurrently, a few at a time.

/** As many as Node.js has threads for files and zlib. */
const FILES_AT_ONCE = 4;

/** The results in the order of the items. Throws the first error after all running work has ended. */
export const mapConcurrently = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = FILES_AT_ONCE,
): Promise<Result[]> => {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      try {
        results[at] = await work(items[at] as Item);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, worker),
  );
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
};
