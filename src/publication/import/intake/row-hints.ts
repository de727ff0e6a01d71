// What a source says of its rows beside their columns (OF_ROWS in publication/sources/source.ts), gathered while they are taken.
import { OF_ROWS, type RawRow } from '../../sources/source.ts';
import { factsFor, fieldOf } from './ghost-tables.ts';

export type RowHints = {
  /** The row's columns, with those that only a new one gets. */
  readonly read: (table: string, raw: RawRow) => RawRow;
  /** Whether a row that the publication has keeps its value in one of our columns. */
  readonly isOnlyForNew: (table: string, column: string) => boolean;
  /** Bodies of posts may be only what everyone may read. */
  readonly showsParts: () => boolean;
};

export const createRowHints = (): RowHints => {
  const onlyForNew = new Map<string, Set<string>>();
  let showsParts = false;
  return {
    read: (table, raw) => {
      showsParts ||= raw[OF_ROWS.showsPart] === true;
      const extra = raw[OF_ROWS.ifNew];
      if (typeof extra !== 'object' || extra === null) return raw;
      const known = onlyForNew.get(table) ?? new Set();
      for (const field of Object.keys(extra)) known.add(field);
      onlyForNew.set(table, known);
      return { ...extra, ...raw };
    },
    isOnlyForNew: (table, column) => {
      const fields = onlyForNew.get(table);
      const facts = factsFor(table);
      return fields !== undefined && facts !== undefined && fields.has(fieldOf(facts, column));
    },
    showsParts: () => showsParts,
  };
};
