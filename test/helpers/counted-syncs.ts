// Looks at a source as a program that follows it does, and tells which tables each of them read.
import { createKnownTables } from '../../src/publication/follow/known-tables.ts';
import { type SyncReport, syncOnce } from '../../src/publication/follow/sync-once.ts';
import type { Source } from '../../src/publication/sources/source.ts';
import type { Store } from '../../src/publication/store/store.ts';

export type CountedLooks = {
  readonly look: (source?: Source) => Promise<SyncReport | null>;
  /** Tables that the last look read. */
  readonly read: () => readonly string[];
};

export const countLooks = (store: Store, source: Source): CountedLooks => {
  const known = createKnownTables();
  let read: readonly string[] = [];
  const counted = (from: Source): Source => ({
    ...from,
    open: async () => {
      const state = await from.open();
      return {
        ...state,
        rowHashes: (wanted) => {
          read = wanted.map(({ table }) => table);
          return state.rowHashes(wanted);
        },
      };
    },
  });
  return {
    look: (from = source) => syncOnce({ store, known, source: counted(from) }),
    read: () => read,
  };
};
