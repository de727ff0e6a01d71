// Which source a name on the command line or in the settings means: told by its form, a file by its content.
import { stat } from 'node:fs/promises';
import { PrepressError } from '../../base/errors.ts';
import { readError } from '../../base/files/read-fault.ts';
import { readFileHeader } from '../../base/sqlite/file-header.ts';
import { isGhostAddress } from './ghost-address/address.ts';
import { openGhostAddress } from './ghost-address/source.ts';
import { openGhostExport } from './ghost-export/source.ts';
import { isMysqlAddress } from './ghost-mysql/address.ts';
import { openGhostMysql } from './ghost-mysql/source.ts';
import { openGhostSqlite } from './ghost-sqlite/source.ts';
import type { Source } from './source.ts';
import { throwIfUnknownAddress } from './source-name.ts';

type SourceOptions = {
  /** Content key, for a site that is read through its content interface. */
  readonly key?: string | undefined;
};

/** Nothing is read of it yet but the start of a file. Throws IMPORT_UNREADABLE or USAGE. */
export const openSource = async (name: string, { key }: SourceOptions = {}): Promise<Source> => {
  if (isGhostAddress(name)) return openGhostAddress(name, { key });
  if (isMysqlAddress(name)) return openGhostMysql(name);
  throwIfUnknownAddress(name);
  return (await isSqlite(name)) ? openGhostSqlite(name) : openGhostExport(name);
};

/** The same for a source that is read again and again: a file that is away now may come back. */
export const openLastingSource = async (
  name: string,
  options: SourceOptions = {},
): Promise<Source> => {
  try {
    return await openSource(name, options);
  } catch (error) {
    if (!(error instanceof PrepressError) || error.code !== 'IMPORT_UNREADABLE') throw error;
    return openLater(name);
  }
};

const openLater = (name: string): Source => {
  let source: Source | null = null;
  const get = async (): Promise<Source> => {
    source ??= await openSource(name);
    return source;
  };
  return {
    name,
    files: [name],
    fingerprint: async () => (await get()).fingerprint(),
    open: async () => (await get()).open(),
    close: async () => source?.close(),
  };
};

const isSqlite = async (file: string): Promise<boolean> => {
  try {
    const stats = await stat(file);
    // What was read of a pipe would be missing later.
    if (!stats.isDirectory()) return stats.isFile() && readFileHeader(file).isSqlite;
  } catch (cause) {
    const hint = 'Check the path. The address of a site begins with https://.';
    throw readError(file, cause, { hint });
  }
  throw isFolder(file);
};

const isFolder = (path: string): PrepressError =>
  new PrepressError('IMPORT_UNREADABLE', `${path} is a folder, not an export or a database.`, {
    hint: 'Name a file in it, such as data/ghost.db; its pictures come with --images.',
  });
