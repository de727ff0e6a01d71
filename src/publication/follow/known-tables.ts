// Which tables of a source need not be read again by a program that looks at it for long: those whose version is the one
// that they had when it last compared them. Valid for what is in the publication as of that look alone, so a look of
// another program, or a change of what is taken, ends it.
export type LookedAt = {
  /** Of what was taken: `following.revision`, and what it took. */
  readonly revision: number;
  readonly taken: string;
  /** See SourceState. */
  readonly tableVersions: ReadonlyMap<string, string>;
};

export type KnownTables = {
  readonly isSame: (table: string, now: LookedAt) => boolean;
  /** After a look that took all that differed. */
  readonly note: (looked: LookedAt) => void;
};

export const createKnownTables = (): KnownTables => {
  let last: LookedAt | null = null;
  return {
    isSame: (table, { revision, taken, tableVersions }) => {
      const version = tableVersions.get(table);
      const isOfLast = last?.revision === revision && last.taken === taken;
      return isOfLast && version !== undefined && last?.tableVersions.get(table) === version;
    },
    note: (looked) => {
      last = looked;
    },
  };
};
