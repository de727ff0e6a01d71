// The rows of the manifest: what is read and written once its file is open.
import { RESOURCES, type Resource, SHAPES } from '../../paths/endpoints.ts';
import type {
  FileEntry,
  Manifest,
  ManifestFile,
  ManifestState,
  OrderEntry,
  RecordEntry,
} from '../manifest.ts';
import type { SqliteConnection } from './driver.ts';
import { createRecordChecks, damaged, parse, type RecordChecks } from './record-checks.ts';

const HASH_BYTES = 32;

type RecordRow = {
  id: string;
  slug: string;
  segment: string;
  fold: string;
  sort: number | string;
  is_public: number;
  sizes: string;
  hashes: Buffer;
};

/** All that a manifest does with its rows. */
export const manifestRows = (connection: SqliteConnection) => {
  const checks = createRecordChecks(connection);
  return {
    ...readState(connection),
    ...readRecords(connection, checks),
    ...readFiles(connection),
    ...withVersion(connection, writes(connection, checks)),
  };
};

/** Commits of other connections move `data_version`, those of this one are counted. */
const withVersion = (
  connection: SqliteConnection,
  own: Writes,
): Writes & Pick<Manifest, 'version'> => {
  const foreign = connection.prepare('PRAGMA data_version').pluck();
  let commits = 0;
  return {
    ...own,
    begin: () => {
      commits += 1;
      own.begin();
    },
    commit: (state) => {
      own.commit(state);
      commits += 1;
    },
    rollback: (options) => {
      own.rollback(options);
      commits += 1;
    },
    version: () => `${foreign.get()}.${commits}`,
  };
};

type StateRow = {
  is_whole: number;
  root: string;
  fingerprint: string;
  epoch: string;
  seq: number;
  nonce: string;
  generation: number;
};

const readState = (connection: SqliteConnection): Pick<Manifest, 'state' | 'generation'> => {
  const statement = connection.prepare('SELECT * FROM state WHERE id = 1');
  const read = (): StateRow => statement.get() as StateRow;
  return {
    state: () => {
      const { is_whole, root, fingerprint, epoch, seq, nonce, generation } = read();
      if (is_whole === 0) return null;
      return { root, fingerprint, position: { epoch, seq, nonce }, generation };
    },
    generation: () => read().generation,
  };
};

const RECORD_COLUMNS = 'id, slug, segment, fold, sort, is_public, sizes, hashes';

const readRecords = (
  connection: SqliteConnection,
  checks: RecordChecks,
): Pick<
  Manifest,
  'entries' | 'order' | 'sameFold' | 'storedSegment' | 'storedSegments' | 'count' | 'segments'
> => {
  const byIds = connection.prepare(
    `SELECT ${RECORD_COLUMNS} FROM records
     WHERE resource = ? AND id IN (SELECT value FROM json_each(?))`,
  );
  const byFolds = connection.prepare(
    // Left to itself, SQLite reads every record of the resource.
    `SELECT ${RECORD_COLUMNS} FROM records INDEXED BY records_by_fold
     WHERE resource = ? AND fold IN (SELECT value FROM json_each(?))`,
  );
  // One row for all: handing out each by itself takes twice as long.
  const order = connection
    .prepare(
      `SELECT group_concat(id), json_group_array(sort), group_concat(is_public, ''),
         '[' || group_concat(sizes) || ']' FROM records WHERE resource = ?`,
    )
    .raw();
  const stored = connection.prepare(
    `SELECT resource, slug, segment FROM records INDEXED BY records_by_other_name
     WHERE resource = ? AND segment <> slug`,
  );
  const byOtherName = connection
    .prepare(
      `SELECT segment FROM records INDEXED BY records_by_other_name
       WHERE resource = ? AND slug = ? AND segment <> slug`,
    )
    .pluck();
  const count = connection.prepare('SELECT count(*) FROM records WHERE resource = ?').pluck();
  const segments = connection.prepare(
    'SELECT id, segment FROM records WHERE resource = ? ORDER BY id',
  );
  return {
    entries: (resource, ids) => {
      const rows = byIds.all(resource, JSON.stringify(ids)) as RecordRow[];
      return new Map(rows.map((row) => [row.id, toEntry(row)]));
    },
    order: (resource) => {
      const columns = order.get(resource) as [string | null, string, string, string];
      const [ids, sorts, arePublic, sizes] = columns;
      if (ids === null) {
        if (!checks.isWhole(resource, [])) throw damaged();
        return [];
      }
      const sortOf = parse(sorts) as (number | string)[];
      const sizesOf = parse(sizes) as number[][];
      const entries = ids.split(',').map(
        (id, at): OrderEntry => ({
          id,
          sort: sortOf[at] as number | string,
          isPublic: arePublic[at] === '1',
          sizes: sizesOf[at] as number[],
        }),
      );
      if (!checks.isWhole(resource, entries)) throw damaged();
      return entries;
    },
    sameFold: (resource, folds) =>
      (byFolds.all(resource, JSON.stringify(folds)) as RecordRow[]).map(toEntry),
    storedSegment: (resource, slug) => byOtherName.get(resource, slug) as string | undefined,
    storedSegments: () =>
      RESOURCES.flatMap(
        (resource) =>
          stored.all(resource) as { resource: Resource; slug: string; segment: string }[],
      ),
    count: (resource) => count.get(resource) as number,
    segments: (resource) => segments.all(resource) as { id: string; segment: string }[],
  };
};

const toEntry = (row: RecordRow): RecordEntry => ({
  id: row.id,
  slug: row.slug,
  segment: row.segment,
  fold: row.fold,
  sort: row.sort,
  isPublic: row.is_public === 1,
  sizes: parse(row.sizes) as number[],
  hashes: Array.from({ length: row.hashes.length / HASH_BYTES }, (_, at) =>
    row.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  ),
});

const readFiles = (
  connection: SqliteConnection,
): Pick<Manifest, 'files' | 'file' | 'allFiles' | 'hashOf'> => {
  const all = connection.prepare('SELECT path, size, sha256, stamp FROM files ORDER BY path');
  const one = connection.prepare('SELECT path, size, sha256, stamp FROM files WHERE path = ?');
  const manifest = connection.prepare('SELECT path, size, sha256 FROM manifest ORDER BY path');
  const byId = connection
    .prepare('SELECT hashes FROM records WHERE resource = ? AND id = ?')
    .pluck();
  const bySegment = connection
    .prepare(
      'SELECT hashes FROM records INDEXED BY records_by_segment WHERE resource = ? AND segment = ?',
    )
    .pluck();
  return {
    files: () => all.iterate() as Iterable<FileEntry>,
    file: (path) => one.get(path) as FileEntry | undefined,
    allFiles: () => manifest.iterate() as Iterable<ManifestFile>,
    hashOf: (path) => {
      const file = one.get(path) as FileEntry | undefined;
      if (file !== undefined) return file.sha256;
      const parts = path.split('/');
      const resource = parts[0] as Resource;
      if (!Object.hasOwn(SHAPES, resource)) return undefined;
      const variant = SHAPES[resource].recordVariants.indexOf(
        (parts.at(-1) ?? '').replace(/\.json$/, ''),
      );
      const isBySlug = parts.length === 4 && parts[1] === 'slug';
      if (variant === -1 || !(isBySlug || parts.length === 3)) return undefined;
      const hashes = (
        isBySlug ? bySegment.get(resource, parts[2]) : byId.get(resource, parts[1])
      ) as Buffer | undefined;
      return hashes?.subarray(variant * HASH_BYTES, (variant + 1) * HASH_BYTES);
    },
  };
};

type Writes = Pick<
  Manifest,
  | 'moveTo'
  | 'begin'
  | 'putEntry'
  | 'removeEntry'
  | 'putFile'
  | 'removeFile'
  | 'clear'
  | 'commit'
  | 'rollback'
>;

const writes = (connection: SqliteConnection, checks: RecordChecks): Writes => {
  const putRecord = connection.prepare(
    `INSERT OR REPLACE INTO records (resource, ${RECORD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeRecord = connection.prepare('DELETE FROM records WHERE resource = ? AND id = ?');
  const putFile = connection.prepare(
    'INSERT OR REPLACE INTO files (path, size, sha256, stamp) VALUES (?, ?, ?, ?)',
  );
  const removeFile = connection.prepare('DELETE FROM files WHERE path = ?');
  const setState = connection.prepare(
    `UPDATE state SET is_whole = 1, root = @root, fingerprint = @fingerprint, epoch = @epoch,
     seq = @seq, nonce = @nonce, generation = @generation WHERE id = 1`,
  );
  const setWhole = connection.prepare('UPDATE state SET is_whole = ? WHERE id = 1');
  let wasWhole = 0;
  const setPosition = connection.prepare(
    'UPDATE state SET epoch = @epoch, seq = @seq, nonce = @nonce WHERE id = 1',
  );
  return {
    moveTo: (position) => setPosition.run({ ...position }),
    begin: () => {
      wasWhole = connection.prepare('SELECT is_whole FROM state').pluck().get() as number;
      checks.reset();
      setWhole.run(0);
      connection.exec('BEGIN IMMEDIATE');
    },
    putEntry: (resource, entry) => {
      checks.replace(resource, entry.id, entry);
      putRecord.run(
        resource,
        entry.id,
        entry.slug,
        entry.segment,
        entry.fold,
        entry.sort,
        entry.isPublic ? 1 : 0,
        JSON.stringify(entry.sizes),
        Buffer.concat(entry.hashes),
      );
    },
    removeEntry: (resource, id) => {
      checks.replace(resource, id, null);
      removeRecord.run(resource, id);
    },
    putFile: ({ path, size, sha256, stamp }) => putFile.run(path, size, sha256, stamp),
    removeFile: (path) => removeFile.run(path),
    clear: () => {
      checks.clear();
      connection.exec('DELETE FROM records; DELETE FROM files;');
    },
    commit: (state: ManifestState) => {
      const { root, fingerprint, generation, position } = state;
      checks.write();
      setState.run({ root, fingerprint, generation, ...position });
      connection.exec('COMMIT');
    },
    rollback: ({ treeUntouched }) => {
      checks.reset();
      if (connection.inTransaction) connection.exec('ROLLBACK');
      if (treeUntouched) setWhole.run(wasWhole);
    },
  };
};
