// The media index over SQLite. A file that is damaged, or another Prepress's, is given up.
import { openConnection } from '../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../base/sqlite/driver.ts';
import { migrate } from '../../base/sqlite/migrate.ts';
import { openOrRemake } from '../../base/sqlite/open-or-remake.ts';
import type { FolderStatKeys, MediaIndex, PlacedFile, SharedFile } from './media-index.ts';
import media001 from './migrations/media_001.sql';
import media002 from './migrations/media_002.sql';

/** Makes the index when it is absent or cannot be used. */
export const openMediaIndex = (path: string): MediaIndex => openOrRemake(path, openFile);

const openFile = (path: string): MediaIndex => {
  const connection = openConnection(path, { synchronous: 'NORMAL' });
  try {
    migrate(connection, [
      { number: 1, name: 'media', sql: media001 },
      { number: 2, name: 'shared', sql: media002 },
    ]);
    return indexOf(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
};

const indexOf = (connection: SqliteConnection): MediaIndex => {
  const root = connection.prepare('SELECT root FROM place').pluck();
  const setRoot = connection.prepare('UPDATE place SET root = ?');
  const folders = connection.prepare('SELECT path, source, target FROM folders');
  const files = connection.prepare(
    'SELECT name, size, mtime_ms AS mtimeMs FROM files WHERE folder = ?',
  );
  const putFile = connection.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)');
  const removeFile = connection.prepare('DELETE FROM files WHERE folder = ? AND name = ?');
  const putFolder = connection.prepare('INSERT OR REPLACE INTO folders VALUES (?, ?, ?)');
  const removeFolder = connection.prepare('DELETE FROM folders WHERE path = ?');
  const putShared = connection.prepare('INSERT OR REPLACE INTO shared VALUES (?, ?)');
  const dropShared = connection.prepare('DELETE FROM shared WHERE path = ?');
  const totals = connection.prepare(
    'SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM files',
  );
  return {
    openAt: (to) => {
      if (root.get() === to) return;
      connection.exec('DELETE FROM files; DELETE FROM folders');
      setRoot.run(to);
    },
    folders: () => {
      const rows = folders.all() as (FolderStatKeys & { path: string })[];
      return new Map(rows.map(({ path, source, target }) => [path, { source, target }]));
    },
    files: (folder) => files.all(folder) as PlacedFile[],
    putFiles: connection.transaction((folder: string, placed: readonly PlacedFile[]) => {
      for (const { name, size, mtimeMs } of placed) putFile.run(folder, name, size, mtimeMs);
    }),
    removeFiles: connection.transaction((folder: string, names: readonly string[]) => {
      for (const name of names) removeFile.run(folder, name);
    }),
    putFolder: (folder, { source, target }) => putFolder.run(folder, source, target),
    removeFolder: (folder) => removeFolder.run(folder),
    shared: () => {
      const rows = connection.prepare('SELECT path, sha256 FROM shared').all();
      return new Map((rows as SharedFile[]).map(({ path, sha256 }) => [path, sha256]));
    },
    putShared: connection.transaction((files: readonly SharedFile[]) => {
      for (const { path, sha256 } of files) putShared.run(path, sha256);
    }),
    dropShared: connection.transaction((paths: readonly string[]) => {
      for (const path of paths) dropShared.run(path);
    }),
    totals: () => totals.get() as { files: number; bytes: number },
    close: () => connection.close(),
  };
};
