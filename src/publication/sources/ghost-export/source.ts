// A Ghost JSON export as a source: one pass through the file for whatever is asked, so that it may be of
// any size, whatever version wrote it.
import { stat } from 'node:fs/promises';
import { readError } from '../../../base/files/read-fault.ts';
import { rowHashOf } from '../row-hashes.ts';
import type {
  RawRow,
  RowBatch,
  RowHash,
  RowHashBatch,
  Source,
  SourceState,
  Wanted,
} from '../source.ts';
import {
  checkExportStart,
  type ExportFacts,
  type ExportPart,
  readExportFile,
} from './export-file.ts';
import { createPresentForm, type OwnIds } from './present-form.ts';
import { tableNow } from './subscribers.ts';

/** A file that was written so recently may be written again without another time. */
const YOUNG_MS = 2_000;

export const openGhostExport = (file: string): Source => {
  const ownIds: OwnIds = new Map();
  return {
    name: file,
    files: [file],
    fingerprint: () => fingerprintOf(file),
    open: async () => {
      await checkStart(file);
      return createState(file, ownIds);
    },
    ownId: (id) => ownIds.get(id),
    close: async () => {},
  };
};

const fingerprintOf = async (file: string): Promise<string | null> => {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    const isYoung = Date.now() - Math.max(mtimeMs, ctimeMs) < YOUNG_MS;
    return isYoung ? null : [ino, size, mtimeMs, ctimeMs].join(':');
  } catch (cause) {
    throw readError(file, cause);
  }
};

const checkStart = async (file: string): Promise<void> => {
  const stats = await stat(file).catch(() => null);
  // What was read of a pipe would be missing later.
  if (stats?.isFile()) await checkExportStart(file);
};

const createState = (file: string, ownIds: OwnIds): SourceState => {
  const facts: Reading = { version: null, tables: new Set(), openedMs: Date.now(), ownIds };
  return {
    get version() {
      return facts.version;
    },
    nowMs: async () => facts.madeMs ?? null,
    rows: (wanted) => readRows(file, facts, wanted),
    rowHashes: (wanted) => readRowHashes(file, facts, wanted),
    isWhole: (table) => facts.tables.has(table) && !PARTIAL.has(table),
    close: async () => {},
  };
};

/** `openedMs`: when what says no time was made, each time that the file is read. */
type Reading = ExportFacts & { readonly openedMs: number; readonly ownIds: OwnIds };

/** An export leaves out settings that are secret. */
const PARTIAL: ReadonlySet<string> = new Set(['settings']);

async function* readPresent(file: string, facts: Reading): AsyncGenerator<ExportPart> {
  const form = createPresentForm(facts.openedMs, facts.ownIds);
  for await (const part of readExportFile(file, facts)) {
    const table = tableNow(part.table);
    facts.tables.add(table);
    yield { ...part, table, rows: part.rows.map((row) => form.present(part.table, row)) };
  }
  for (const [table, rows] of form.finish()) {
    facts.tables.add(table);
    yield { table, rows, share: 1 };
  }
}

/** Tables that nobody asked for are handed out, too: a taker may want to name them. */
async function* readRows(
  file: string,
  facts: Reading,
  wanted: readonly Wanted[],
): AsyncGenerator<RowBatch> {
  const ids = new Map(
    wanted.flatMap(({ table, ids }) => (ids === undefined ? [] : [[table, new Set(ids)] as const])),
  );
  for await (const part of readPresent(file, facts)) {
    const only = ids.get(part.table);
    const rows =
      only === undefined ? part.rows : part.rows.filter((row) => only.has(String(idOf(row))));
    yield { ...part, rows };
  }
}

/** An export keeps no order of ids, so hashes are gathered first; it has no tables of millions of rows. */
async function* readRowHashes(
  file: string,
  facts: Reading,
  wanted: readonly Wanted[],
): AsyncGenerator<RowHashBatch> {
  const tables = new Set(wanted.map(({ table }) => table));
  const gathered = new Map<string, RowHash[]>();
  for await (const { table, rows } of readPresent(file, facts)) {
    if (!tables.has(table)) continue;
    const rowHashes = gathered.get(table) ?? [];
    gathered.set(table, rowHashes);
    for (const row of rows) {
      if (idOf(row) !== undefined) rowHashes.push(rowHashOf(row as RawRow, { nowMs: null }));
    }
  }
  for (const [table, rowHashes] of gathered) {
    rowHashes.sort((a, b) => (a.id < b.id ? -1 : 1));
    yield { table, rowHashes, share: 1 };
  }
}

const idOf = (row: unknown): unknown =>
  typeof row === 'object' && row !== null ? (row as RawRow).id : undefined;
