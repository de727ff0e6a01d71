// How much of the battery runs: the short form unless PREPRESS_BATTERY=long asks for the long one. Every
// row says in one line what it did, how often, and what came of it.

export const IS_LONG = process.env.PREPRESS_BATTERY === 'long';

export const sized = <T>({ short, long }: { readonly short: T; readonly long: T }): T =>
  IS_LONG ? long : short;

/** Prints a row's line, such as `power cut: 400 states, 0 lost`. */
export const sayRow = (row: string, facts: Readonly<Record<string, number | string>>): void => {
  const counts = Object.entries(facts).map(([name, count]) => `${count} ${name}`);
  console.log(`${row}: ${counts.join(', ')}`);
};

/** Waits for all, also when one fails, so that nothing is left at work; then throws the first failure. */
export const untilAllEnd = async (tasks: readonly Promise<unknown>[]): Promise<void> => {
  for (const result of await Promise.allSettled(tasks)) {
    if (result.status === 'rejected') throw result.reason;
  }
};

/** Runs `work` on every item, so many at once; the first failure ends it. */
export const inLanes = async <T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, lane: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  let hasFailed = false;
  const run = async (lane: number): Promise<void> => {
    while (next < items.length && !hasFailed) {
      next += 1;
      try {
        await work(items[next - 1] as T, lane);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await untilAllEnd(Array.from({ length: lanes }, (_, lane) => run(lane)));
};
