// Lists by key, as Map.groupBy makes them, which Node.js 20 lacks.

export const addTo = <K, T>(lists: Map<K, T[]>, key: K, item: T): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
};

export const groupBy = <K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> => {
  const lists = new Map<K, T[]>();
  for (const item of items) addTo(lists, keyOf(item), item);
  return lists;
};
