// PostgreSQL's tables, as SQL made from the shapes that our migrations give. Texts are compared by their bytes, as SQLite
// compares them, whatever the database's locale; what SQLite keeps as 0 and 1 stays a number.
import { type ColumnShape, listTables, namesOf, quote, type TableShape } from './table-shapes.ts';

export const TYPES = { TEXT: 'text', INTEGER: 'bigint', BLOB: 'bytea' } as const;

/** The statements that bring tables from one state to another; from none: all of them. */
export const planSchema = (from: number | null, to?: number): string => {
  const before = new Map(
    from === null ? [] : listTables(from).map((table) => [table.name, table] as const),
  );
  return listTables(to)
    .flatMap((table) => {
      const earlier = before.get(table.name);
      return earlier === undefined ? createTable(table) : alterTable(earlier, table);
    })
    .join(';\n');
};

const createTable = (table: TableShape): string[] => {
  const references = table.references.map(
    ({ column, table: target, target: key, onDelete }) =>
      `FOREIGN KEY (${quote(column)}) REFERENCES ${quote(target)} (${quote(key)}) ON DELETE ${onDelete} DEFERRABLE`,
  );
  const lines = [
    ...table.columns.map(defineColumn),
    `PRIMARY KEY (${namesOf(table.key)})`,
    ...references,
  ];
  return [
    `CREATE TABLE ${quote(table.name)} (${lines.join(', ')})`,
    ...table.unique.map((set) => createUnique(table, set)),
    // Lists are read from the read model; here rows are found by what refers to them.
    ...table.references.map(
      ({ column }) =>
        `CREATE INDEX ${quote(`${table.name}_of_${column}`)} ON ${quote(table.name)} (${quote(column)})`,
    ),
  ];
};

const alterTable = (before: TableShape, after: TableShape): string[] => {
  const had = (name: string): boolean => before.columns.some((column) => column.name === name);
  const sets = before.unique.map(({ columns }) => columns.join());
  return [
    ...after.columns
      .filter(({ name }) => !had(name))
      .map((column) => `ALTER TABLE ${quote(after.name)} ADD COLUMN ${defineColumn(column)}`),
    ...after.unique
      .filter(({ columns }) => !sets.includes(columns.join()))
      .map((set) => createUnique(after, set)),
  ];
};

const defineColumn = ({ name, type, isRequired, ifAbsent, check }: ColumnShape): string =>
  [
    quote(name),
    TYPES[type],
    type === 'TEXT' ? 'COLLATE "C"' : '',
    isRequired ? 'NOT NULL' : '',
    ifAbsent === null ? '' : `DEFAULT ${ifAbsent}`,
    check === null ? '' : `CHECK ${check.replace(IS_ID, () => "id ~ '^[0-9a-f]{24}$'")}`,
  ]
    .filter(Boolean)
    .join(' ');

const IS_ID = "length(id) = 24 AND id NOT GLOB '*[^0-9a-f]*'";

/** NOCASE folds the letters of ASCII alone; so does lower() of bytes. */
const createUnique = (
  table: TableShape,
  { columns, folds }: TableShape['unique'][number],
): string => {
  const parts = columns.map((name) => (folds ? `lower(${quote(name)} COLLATE "C")` : quote(name)));
  const name = quote(`${table.name}_by_${columns.join('_')}`);
  return `CREATE UNIQUE INDEX ${name} ON ${quote(table.name)} (${parts.join(', ')})`;
};
