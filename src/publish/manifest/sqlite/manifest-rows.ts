// The rows of the manifest: what is read and written once its file is open.
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { RESOURCES, type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import type {
  FileEntry,
  Manifest,
  ManifestFile,
  ManifestState,
  RecordEntry,
  ReplacedBlob,
} from '../manifest.ts';
import { readState, writeState } from './manifest-state.ts';
import { type RecordRow, sumOfRecord } from './manifest-sums.ts';

const HASH_BYTES = 32;

export const manifestRows = (connection: SqliteConnection) => {
  return {
    ...readState(connection),
    ...readRecords(connection),
    ...readFiles(connection),
    ...blobRows(connection),
    ...withVersion(connection, writes(connection)),
  };
};

/** Commits of other connections move `data_version`, those of this one are counted. */
const withVersion = (connection: SqliteConnection, own: ReturnType<typeof writes>) => {
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
  } satisfies Partial<Manifest>;
};

const RECORD_COLUMNS = 'resource, id, slug, segment, fold, ms, title, pack, sizes, hashes, sum';

type SummedRow = RecordRow & { readonly sum: number };

const readRecords = (connection: SqliteConnection) => {
  const byIds = connection.prepare(
    `SELECT ${RECORD_COLUMNS} FROM records
     WHERE resource = ? AND id IN (SELECT value FROM json_each(?))`,
  );
  const byFolds = connection.prepare(
    // Left to itself, SQLite reads every record of the resource.
    `SELECT ${RECORD_COLUMNS} FROM records INDEXED BY records_by_fold
     WHERE resource = ? AND fold IN (SELECT value FROM json_each(?))`,
  );
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
      const rows = byIds.all(resource, JSON.stringify(ids)) as SummedRow[];
      return new Map(rows.map((row) => [row.id, toEntry(row)]));
    },
    sameFold: (resource, folds) =>
      (byFolds.all(resource, JSON.stringify(folds)) as SummedRow[]).map(toEntry),
    storedSegment: (resource, slug) => byOtherName.get(resource, slug) as string | undefined,
    storedSegments: () =>
      RESOURCES.flatMap(
        (resource) =>
          stored.all(resource) as { resource: Resource; slug: string; segment: string }[],
      ),
    count: (resource) => count.get(resource) as number,
    segments: (resource) => segments.all(resource) as { id: string; segment: string }[],
  } satisfies Partial<Manifest>;
};

const toEntry = (row: SummedRow): RecordEntry => {
  if (!isAsWritten(row)) throw notAsWritten();
  return {
    id: row.id,
    slug: row.slug,
    segment: row.segment,
    fold: row.fold,
    ms: row.ms,
    title: row.title,
    pack: row.pack,
    // Its sum is that of what was written.
    sizes: JSON.parse(row.sizes) as number[],
    hashes: Array.from({ length: row.hashes.length / HASH_BYTES }, (_, at) =>
      row.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    ),
  };
};

const isAsWritten = (row: SummedRow): boolean => row.sum === sumOfRecord(row);

/** SQLite's own errors of damage begin so too. */
const notAsWritten = (): Error =>
  Object.assign(new Error('records are not as they were written'), {
    code: 'SQLITE_CORRUPT_RECORDS',
  });

/** Throws what reading a record that is not as it was written throws. */
export const checkRecords = (connection: SqliteConnection): void => {
  const all = connection.prepare(`SELECT ${RECORD_COLUMNS} FROM records`);
  for (const row of all.iterate() as Iterable<SummedRow>) {
    if (!isAsWritten(row)) throw notAsWritten();
  }
};

const readFiles = (connection: SqliteConnection) => {
  const all = connection.prepare(
    'SELECT path, size, sha256, stamp AS statKey FROM files ORDER BY path',
  );
  const one = connection.prepare(
    'SELECT path, size, sha256, stamp AS statKey FROM files WHERE path = ?',
  );
  const manifest = connection.prepare('SELECT path, size, sha256 FROM manifest ORDER BY path');
  const longest = connection.prepare(
    `SELECT (SELECT coalesce(max(size), 0) FROM blobs WHERE replaced_at IS NULL) AS blobBytes,
     (SELECT coalesce(max(size), 0) FROM files) AS fileBytes`,
  );
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
    longest: () => longest.get() as ReturnType<Manifest['longest']>,
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
  } satisfies Partial<Manifest>;
};

const writes = (connection: SqliteConnection) => {
  const putRecord = connection.prepare(
    // By place: binding names takes longer than the row.
    `INSERT OR REPLACE INTO records (${RECORD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeRecord = connection.prepare('DELETE FROM records WHERE resource = ? AND id = ?');
  const putFile = connection.prepare(
    'INSERT OR REPLACE INTO files (path, size, sha256, stamp) VALUES (?, ?, ?, ?)',
  );
  const removeFile = connection.prepare('DELETE FROM files WHERE path = ?');
  const state = writeState(connection);
  let before: ManifestState | null = null;
  return {
    moveTo: state.moveTo,
    begin: () => {
      before = state.open();
      connection.exec('BEGIN IMMEDIATE');
    },
    putEntry: (resource, { id, slug, segment, fold, ms, title, pack, sizes, hashes }) => {
      // Half of a surrogate pair would be stored as other text than the sum is of.
      const row: RecordRow = {
        resource,
        id,
        slug,
        segment,
        fold,
        ms,
        title: title.toWellFormed(),
        pack,
        sizes: JSON.stringify(sizes),
        hashes: Buffer.concat(hashes),
      };
      putRecord.run(Object.values(row), sumOfRecord(row));
    },
    removeEntry: (resource, id) => {
      removeRecord.run(resource, id);
    },
    putFile: ({ path, size, sha256, statKey }) => putFile.run(path, size, sha256, statKey),
    removeFile: (path) => removeFile.run(path),
    clearFiles: () => {
      connection.exec('DELETE FROM files');
    },
    commit: (now) => {
      state.close(now);
      connection.exec('COMMIT');
    },
    rollback: ({ treeUntouched }) => {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      if (treeUntouched && before !== null) state.close(before);
    },
  } satisfies Partial<Manifest>;
};

/** The rows of blobs of the packed tree. */
const blobRows = (connection: SqliteConnection) => {
  const put = connection.prepare(
    'INSERT OR REPLACE INTO blobs (name, size, sha256, replaced_at) VALUES (?, ?, ?, NULL)',
  );
  const mark = connection.prepare(
    'UPDATE blobs SET replaced_at = ? WHERE name = ? AND replaced_at IS NULL',
  );
  const remove = connection.prepare('DELETE FROM blobs WHERE name = ?');
  const one = connection.prepare('SELECT 1 FROM blobs WHERE name = ?').pluck();
  const names = connection.prepare('SELECT name FROM blobs ORDER BY name').pluck();
  const replaced = connection.prepare(
    `SELECT name, size, sha256, replaced_at AS replacedAt FROM blobs
     WHERE replaced_at IS NOT NULL ORDER BY name`,
  );
  const expired = connection
    .prepare('SELECT name FROM blobs WHERE replaced_at IS NOT NULL AND replaced_at <= ?')
    .pluck();
  return {
    putBlob: ({ name, size, sha256 }) => put.run(name, size, sha256),
    markReplaced: (name, nowMs) => mark.run(nowMs, name),
    removeBlob: (name) => remove.run(name),
    hasBlob: (name) => one.get(name) !== undefined,
    blobNames: () => names.all() as string[],
    replacedBlobs: () => replaced.all() as ReplacedBlob[],
    blobsReplacedBy: (ms) => expired.all(ms) as string[],
  } satisfies Partial<Manifest>;
};
