// Work that many ask for at the same time, done once: who comes while it is done gets its result, too.

export type SharedWork<T> = (key: string, work: () => Promise<T>) => Promise<T>;

export const createSharedWork = <T>(): SharedWork<T> => {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const result = work().finally(() => underWay.delete(key));
    underWay.set(key, result);
    return result;
  };
};
