// What every row of some records was at any place of the change log, reconstructed backwards from its
// present state: a row's state after change s is its `old` of the first later change, else what it is
// now. Holds because each change logs the row before it, whoever wrote it.
import { addTo } from '../../../base/group-by.ts';
import { fillFrom } from '../../../publication/snapshot/previous-rows.ts';
import type { ChangeWithOld } from '../../../publication/snapshot/snapshot.ts';
import {
  isRecordTable,
  keyColumn,
  type RecordTable,
} from '../../../publication/tables/record-tables.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Reads the present rows of a table by the key that links them to their record. */
export type PresentRows = (table: RecordTable, keys: readonly string[]) => readonly Row[];

export type History = {
  /** The row as it was after change `seq`; null when it was absent. */
  readonly rowAt: (table: RecordTable, id: string, seq: number) => Row | null;
  /** The rows of a table that belonged to `record` after change `seq`, in no order. */
  readonly rowsAt: (table: RecordTable, record: string, seq: number) => Row[];
};

type Version = { readonly seq: number; readonly op: string; readonly before: Row | null };

/** `changes` are in order of seq and hold every change of the rows that will be asked for. */
export const openHistory = (changes: Iterable<ChangeWithOld>, present: PresentRows): History => {
  const versions = new Map<string, Version[]>();
  const attached = new Map<RecordTable, Map<string, Set<string>>>();
  for (const change of changes) {
    const { entity } = change;
    // Somebody else wrote it.
    if (!isRecordTable(entity)) continue;
    for (const [id, version] of versionsOf(change)) addTo(versions, `${entity} ${id}`, version);
    const records = attached.get(entity) ?? new Map<string, Set<string>>();
    attached.set(entity, records);
    for (const record of [change.record_id, change.old_record_id]) {
      if (record === null) continue;
      const ids = records.get(record) ?? new Set<string>();
      records.set(record, ids.add(change.row_id));
      if (typeof change.old?.id === 'string') ids.add(change.old.id);
    }
  }
  const now = presentRows(present, attached);
  const filled = new Set<string>();
  const rowAt: History['rowAt'] = (table, id, seq) => {
    const key = `${table} ${id}`;
    const known = versions.get(key) ?? [];
    const last = now.find(table, id);
    if (!filled.has(key)) {
      versions.set(key, fillUnchanged(known, last));
      filled.add(key);
    }
    const next = versions.get(key)?.find((version) => version.seq > seq);
    return next === undefined ? last : next.before;
  };
  return {
    rowAt,
    rowsAt: (table, record, seq) => {
      const column = keyColumn(table);
      const ids = new Set([
        ...now.idsOf(table, record),
        ...(attached.get(table)?.get(record) ?? []),
      ]);
      return [...ids]
        .map((id) => rowAt(table, id, seq))
        .filter((row): row is Row => row !== null && row[column] === record);
    },
  };
};

/** One change is a version of its row; an update of the id is one of both rows. */
function* versionsOf({ seq, op, row_id, old }: ChangeWithOld): Generator<[string, Version]> {
  if (op === 'i') {
    yield [row_id, { seq, op, before: null }];
    return;
  }
  const oldId = typeof old?.id === 'string' ? old.id : row_id;
  yield [oldId, { seq, op, before: old }];
  if (oldId !== row_id) yield [row_id, { seq, op, before: null }];
}

/** Puts the value that stood after the change where the log says `true`: an unchanged long text. */
const fillUnchanged = (versions: readonly Version[], present: Row | null): Version[] => {
  let after = present;
  return versions
    .toReversed()
    .map((version) => {
      const before = version.before === null ? null : fillFrom(version.before, after);
      after = before;
      return { ...version, before };
    })
    .reverse();
};

const presentRows = (
  present: PresentRows,
  attached: ReadonlyMap<RecordTable, ReadonlyMap<string, unknown>>,
) => {
  const byId = new Map<string, Row | null>();
  const idsByRecord = new Map<string, string[]>();
  const loaded = new Set<string>();
  const load = (table: RecordTable, keys: readonly string[]): void => {
    const column = keyColumn(table);
    for (const key of keys) loaded.add(`${table} ${key}`);
    for (const row of present(table, keys)) {
      byId.set(`${table} ${String(row.id)}`, row);
      addTo(idsByRecord, `${table} ${String(row[column])}`, String(row.id));
    }
  };
  for (const [table, records] of attached) load(table, [...records.keys()]);
  return {
    find: (table: RecordTable, id: string): Row | null => {
      if (keyColumn(table) === 'id' && !loaded.has(`${table} ${id}`)) load(table, [id]);
      return byId.get(`${table} ${id}`) ?? null;
    },
    idsOf: (table: RecordTable, record: string): readonly string[] => {
      if (!loaded.has(`${table} ${record}`)) load(table, [record]);
      return idsByRecord.get(`${table} ${record}`) ?? [];
    },
  };
};
