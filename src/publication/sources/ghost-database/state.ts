// A snapshot of Ghost's own database as the state of a source: checked first, then each wanted table read
// with those columns that both sides know. Serves every kind of database.
import { BODIES, rowHashOf } from '../row-hashes.ts';
import type { RawRow, RowBatch, RowHashBatch, SourceState, Wanted } from '../source.ts';
import type { DatabaseReader, Query } from './reader.ts';
import { checkSchema, throwIfHidden } from './schema.ts';

/** Takes over `reader`, which is closed when this throws, too. Throws what checkSchema throws. */
export const openState = async (name: string, reader: DatabaseReader): Promise<SourceState> => {
  try {
    const version = await checkSchema(name, reader);
    return {
      version,
      nowMs: reader.nowMs,
      rows: (wanted) => readRows(reader, wanted),
      rowHashes: (wanted) => readRowHashes(reader, wanted),
      tableVersions: (wanted) => reader.tableVersions(knownQueries(reader, wanted)),
      isWhole: (table) => reader.tables.has(table),
      close: reader.close,
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
};

async function* readRows(
  reader: DatabaseReader,
  wanted: readonly Wanted[],
): AsyncGenerator<RowBatch> {
  await throwIfHidden(reader, wanted);
  for await (const { rows, ...batch } of readTables(reader, wanted.map(withColumns(reader)))) {
    yield { ...batch, rows };
  }
}

async function* readRowHashes(
  reader: DatabaseReader,
  wanted: readonly Wanted[],
): AsyncGenerator<RowHashBatch> {
  await throwIfHidden(reader, wanted);
  const nowMs = await reader.nowMs();
  const queries = wanted.map((one) => {
    const { table, columns = [] } = withColumns(reader)(one);
    return {
      table,
      columns: columns.filter((name) => !BODIES[table]?.includes(name)),
      isOrdered: true,
    };
  });
  for await (const { rows, table, share } of readTables(reader, queries)) {
    const options = { nowMs: table in BODIES ? nowMs : null };
    yield { table, share, rowHashes: rows.map((row) => rowHashOf(row, options)) };
  }
}

const knownQueries = (reader: DatabaseReader, wanted: readonly Wanted[]): readonly Query[] =>
  wanted.filter(({ table }) => reader.tables.has(table)).map(withColumns(reader));

const withColumns =
  (reader: DatabaseReader) =>
  ({ table, ids, columns }: Wanted): Query => {
    const present = reader.tables.get(table) ?? [];
    const asked = new Set(columns ?? present).add('id').add('updated_at');
    return { table, columns: present.filter((name) => asked.has(name)), ...(ids && { ids }) };
  };

/** A row of a table with bodies takes as long as so many others. */
const BODY_WEIGHT = 15;

type Read = { readonly table: string; readonly share: number; readonly rows: readonly RawRow[] };

async function* readTables(
  reader: DatabaseReader,
  queries: readonly Query[],
): AsyncGenerator<Read> {
  const known = queries.filter(({ table }) => reader.tables.has(table));
  const weights = await weigh(reader, known);
  const total = [...weights.values()].reduce((sum, { all }) => sum + all, 0);
  let done = 0;
  const shareOf = (): number => (total === 0 ? 1 : Math.min(1, done / total));
  for (const query of known) {
    const { table } = query;
    yield { table, share: shareOf(), rows: [] };
    for await (const rows of reader.read(query)) {
      done += rows.length * (weights.get(table)?.each ?? 1);
      yield { table, share: shareOf(), rows };
    }
  }
}

type Weight = { readonly each: number; readonly all: number };

const weigh = async (
  reader: DatabaseReader,
  queries: readonly Query[],
): Promise<ReadonlyMap<string, Weight>> => {
  const weights = new Map<string, Weight>();
  for (const { table, ids } of queries) {
    const each = table in BODIES ? BODY_WEIGHT : 1;
    const rows = ids === undefined ? await reader.count(table) : ids.length;
    weights.set(table, { each, all: each * rows });
  }
  return weights;
};
