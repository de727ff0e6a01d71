// Work of which only so much is done at once; the rest waits in the order of its coming.

export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export const limitConcurrency = (count: number): ConcurrencyLimit => {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};
