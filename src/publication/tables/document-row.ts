// A whole row as documents read it: the columns that they are made of, and no bytes where a text belongs. What a
// snapshot renders and what is judged of a row that the change log holds pass through here, so both are the same.
import { spellBytes } from '../../base/text/stored-text.ts';
import { RECORD_COLUMNS } from './record-columns.ts';
import { type LoggedName, readColumns } from './record-tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** Null where the row lacks a column. */
export const toDocumentRow = (table: LoggedName, row: Row): Record<string, unknown> =>
  Object.fromEntries(COLUMNS[table].map((column) => [column, spellBytes(row[column] ?? null)]));

const COLUMNS = Object.fromEntries(
  Object.keys(RECORD_COLUMNS).map((table) => [table, readColumns(table as LoggedName)]),
) as unknown as Readonly<Record<LoggedName, readonly string[]>>;
