// Which row of the publication an id of the file stands for, where the two differ: a second row of the
// same thing within the file stands for the first, and a row may be known here under another id.

export type Aliases = {
  readonly addDuplicate: (table: string, id: string, first: string) => void;
  readonly addTarget: (table: string, id: string, target: string) => void;
  readonly resolve: (table: string, id: string) => string;
  /** Others that go on from these. */
  readonly copy: () => Aliases;
};

type Ids = ReadonlyMap<string, string>;

export const createAliases = (firsts: Ids = new Map(), found: Ids = new Map()): Aliases => {
  const duplicates = new Map(firsts);
  const targets = new Map(found);
  const name = (table: string, id: string): string => `${table} ${id}`;
  return {
    addDuplicate: (table, id, first) => duplicates.set(name(table, id), first),
    addTarget: (table, id, target) => targets.set(name(table, id), target),
    resolve: (table, id) => {
      const first = duplicates.get(name(table, id)) ?? id;
      return targets.get(name(table, first)) ?? first;
    },
    copy: () => createAliases(duplicates, targets),
  };
};
