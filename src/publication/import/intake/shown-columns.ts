// Which columns of a source's row reach a document: of those alone a value that cannot be read keeps the row from being
// taken. Follows from what the store knows of each column.
import type { RawRow } from '../../sources/source.ts';
import { type ColumnUse, RECORD_COLUMNS } from '../../tables/record-columns.ts';
import { findLogged } from '../../tables/record-tables.ts';
import type { TableFacts } from './ghost-tables.ts';

/** Whether documents are made of rows of the table. */
export const isShownTable = ({ into }: TableFacts): boolean =>
  findLogged(into)?.shows !== undefined;

/** Whether what is known of a record stays when another one has its name or address; a link that stands twice is one. */
export const keepsOnConflict = (facts: TableFacts): boolean =>
  (isShownTable(facts) || facts.into === 'members') && facts.linksOf === undefined;

/** A post that the source calls anything but published is in no document. */
export const isShownRow = (facts: TableFacts, { status }: RawRow): boolean =>
  isShownTable(facts) &&
  !(facts.into === 'posts' && status !== 'published' && isWord(facts, 'status', status));

/** The order of links is no value: without it they stand in the order that they have. */
export const isShownColumn = ({ into }: TableFacts, column: string): boolean => {
  if (column === 'sort_order') return false;
  const columns: Readonly<Record<string, Readonly<Record<string, ColumnUse>>>> = RECORD_COLUMNS;
  return (columns[into]?.[column]?.reads ?? null) !== null;
};

const isWord = ({ values }: TableFacts, column: string, value: unknown): boolean =>
  typeof value === 'string' && values?.[column]?.includes(value) === true;
