// The rows of the manifest: what is read and written once its file is open.
import { RESOURCES, type Resource, SHAPES } from '../../paths/endpoints.ts';
import type { FileEntry, Manifest, ManifestFile, ManifestState, RecordEntry } from '../manifest.ts';
import type { SqliteConnection } from './driver.ts';
import { type BlobWrites, blobWrites, readBlobs } from './manifest-blobs.ts';

const HASH_BYTES = 32;

type RecordRow = {
  id: string;
  slug: string;
  segment: string;
  fold: string;
  ms: number;
  title: string;
  pack: Buffer;
  sizes: string;
  hashes: Buffer;
};

/** All that a manifest does with its rows. */
export const manifestRows = (connection: SqliteConnection) => {
  return {
    ...readState(connection),
    ...readRecords(connection),
    ...readFiles(connection),
    ...readBlobs(connection),
    ...withVersion(connection, { ...writes(connection), ...blobWrites(connection) }),
  };
};

/** Commits of other connections move `data_version`, those of this one are counted. */
const withVersion = (
  connection: SqliteConnection,
  own: Writes & BlobWrites,
): Writes & BlobWrites & Pick<Manifest, 'version'> => {
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

const RECORD_COLUMNS = 'id, slug, segment, fold, ms, title, pack, sizes, hashes';

const readRecords = (
  connection: SqliteConnection,
): Pick<
  Manifest,
  'entries' | 'sameFold' | 'storedSegment' | 'storedSegments' | 'count' | 'segments'
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
  ms: row.ms,
  title: row.title,
  pack: row.pack,
  sizes: parseSizes(row.sizes),
  hashes: Array.from({ length: row.hashes.length / HASH_BYTES }, (_, at) =>
    row.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  ),
});

/** A disk may have changed a bit; SQLite's own errors of damage begin so too. */
const parseSizes = (text: string): number[] => {
  try {
    return JSON.parse(text) as number[];
  } catch (cause) {
    const message = 'records are not as they were written';
    throw Object.assign(new Error(message, { cause }), { code: 'SQLITE_CORRUPT_RECORDS' });
  }
};

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

const writes = (connection: SqliteConnection): Writes => {
  const putRecord = connection.prepare(
    `INSERT OR REPLACE INTO records (resource, ${RECORD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      setWhole.run(0);
      connection.exec('BEGIN IMMEDIATE');
    },
    putEntry: (resource, entry) => {
      putRecord.run(
        resource,
        entry.id,
        entry.slug,
        entry.segment,
        entry.fold,
        entry.ms,
        entry.title,
        entry.pack,
        JSON.stringify(entry.sizes),
        Buffer.concat(entry.hashes),
      );
    },
    removeEntry: (resource, id) => {
      removeRecord.run(resource, id);
    },
    putFile: ({ path, size, sha256, stamp }) => putFile.run(path, size, sha256, stamp),
    removeFile: (path) => removeFile.run(path),
    clear: () => {
      connection.exec('DELETE FROM records; DELETE FROM files; DELETE FROM blobs;');
    },
    commit: (state: ManifestState) => {
      const { root, fingerprint, generation, position } = state;
      setState.run({ root, fingerprint, generation, ...position });
      connection.exec('COMMIT');
    },
    rollback: ({ treeUntouched }) => {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      if (treeUntouched) setWhole.run(wasWhole);
    },
  };
};
