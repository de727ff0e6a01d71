// Opens a publication: the only place that picks the database.
import { isDatabaseAt } from '../../base/sqlite/connection.ts';
import { openPostgresStore } from './postgres/open-store.ts';
import { openSqliteStore } from './sqlite/open-store.ts';
import type { OpenStoreOptions, Store } from './store.ts';

/**
 * Opens the database, or the read model of one in PostgreSQL, brings it to the newest schema and makes sure of its triggers. Throws DATABASE_MISSING,
 * DATABASE_UNREADABLE for what is no publication, DATABASE_TOO_NEW.
 */
export const openStore = (path: string, options: OpenStoreOptions = {}): Promise<Store> =>
  options.postgres
    ? openPostgresStore(path, options.postgres, options)
    : openSqliteStore(path, options);

/** Throws DATABASE_UNWRITABLE when it cannot be seen whether one is there. */
export const isPublicationAt = (path: string): boolean => isDatabaseAt(path);
