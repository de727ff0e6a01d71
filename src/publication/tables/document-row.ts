// Rows by the columns that they have now, and no bytes where a text belongs. What a snapshot renders, what is judged of a row
// of the change log, and what webhooks say of one pass through here: the log may be older than a column.
import { spellBytes } from '../../base/text/stored-text.ts';
import {
  columnsWhere,
  type EditorColumn,
  isRecordTable,
  type LoggedName,
  type ReadColumn,
  type RecordTable,
  readColumns,
} from './record-tables.ts';
import type { TableRow } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

type DocumentRow<T extends LoggedName> = Pick<TableRow<T>, ReadColumn<T> & keyof TableRow<T>>;

/** What documents are made of. The types are those of the schema: what a value is not, the renderer says. */
export const toDocumentRow = <T extends LoggedName>(table: T, row: Row) =>
  pick(readColumns<LoggedName>(table), row) as DocumentRow<T>;

/** Without the editor's own columns of posts. Rows of tables that are not logged are those of the present. */
export const toRecordRow = <T extends RecordTable>(table: T, row: Row) => {
  const isLogged = isRecordTable(table);
  return (
    isLogged
      ? pick(
          columnsWhere(table, ({ logs }) => logs !== null),
          row,
        )
      : row
  ) as Omit<TableRow<T>, EditorColumn>;
};

/** Null where the row lacks a column. */
const pick = (columns: readonly string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, spellBytes(row[column] ?? null)]));
