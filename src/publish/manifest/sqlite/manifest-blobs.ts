// The rows of the packed tree's blobs in the manifest.

import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import type { Manifest, ReplacedBlob } from '../manifest.ts';

export const blobRows = (connection: SqliteConnection) => {
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
