// Which source a name on the command line or in the settings means: told by its form, a file by its content.
import { stat } from 'node:fs/promises';
import { PrepressError } from '../base/errors.ts';
import { readFileHeader } from '../store/sqlite/file-header.ts';
import { isGhostAddress } from './ghost-address/address.ts';
import { openGhostAddress } from './ghost-address/source.ts';
import { openGhostExport } from './ghost-export/source.ts';
import { isMysqlAddress } from './ghost-mysql/address.ts';
import { openGhostMysql } from './ghost-mysql/source.ts';
import { openGhostSqlite } from './ghost-sqlite/source.ts';
import type { Source } from './source.ts';

type SourceOptions = {
  /** Content key, for a site that is read through its content interface. */
  readonly key?: string | undefined;
};

/** Nothing is read of it yet but the start of a file. Throws IMPORT_UNREADABLE or USAGE. */
export const openSource = async (name: string, { key }: SourceOptions = {}): Promise<Source> => {
  if (isGhostAddress(name)) return openGhostAddress(name, { key });
  if (isMysqlAddress(name)) return openGhostMysql(name);
  return (await isSqlite(name)) ? openGhostSqlite(name) : openGhostExport(name);
};

const isSqlite = async (file: string): Promise<boolean> => {
  try {
    // What was read of a pipe would be missing later.
    return (await stat(file)).isFile() && readFileHeader(file).isSqlite;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new PrepressError('IMPORT_UNREADABLE', `The file ${file} cannot be read (${code}).`, {
      cause,
    });
  }
};
