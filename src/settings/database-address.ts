// The setting `database`: a SQLite file, or the address of a PostgreSQL database. What is shown of an address has neither
// user nor password.
import { join, resolve } from 'node:path';
import { mayHoldLogin } from '../base/net/may-hold-login.ts';

/** Where a publication in PostgreSQL is, and what this machine does with it. */
export type PostgresPlace = {
  /** With its password: for the driver alone. */
  readonly address: string;
  /** This machine only reads: it keeps no rows of members, and saves nothing. */
  readonly isReader: boolean;
};

/** What stands in `data` of a publication in PostgreSQL: a copy of its rows that builds and queries read. */
const READ_MODEL = 'replica.db';

const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//i.test(database);

/** What is wrong with an address, without a word of it; null: nothing. */
export const addressFault = (database: string): string | null => {
  if (!isPostgres(database)) return SCHEME.test(database) || mayHoldLogin(database) ? FORM : null;
  const url = URL.canParse(database) ? new URL(database) : null;
  if (url === null || url.pathname.length < 2)
    return 'must be an address such as postgres://user@host/database';
  const mode = url.searchParams.get('sslmode');
  return mode === null || SSL_MODES.includes(mode)
    ? null
    : 'sslmode must be disable, allow, prefer, require, verify-ca or verify-full';
};

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

const SCHEME = /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i;
const FORM =
  'must be a SQLite file, or an address such as postgres://user@host/database; to read a Ghost database, run "prepress import" or "prepress follow"';

/** Everybody on the machine reads command lines. */
export const hasPassword = (database: unknown): boolean => {
  if (typeof database !== 'string' || !isPostgres(database) || !URL.canParse(database))
    return false;
  const { password, searchParams } = new URL(database);
  return password !== '' || searchParams.has('password');
};

/** For messages. */
export const shownAddress = (address: string): string => {
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
};

/** The file that is read here: the publication itself, or the read model of one in PostgreSQL. */
export const databaseFileOf = ({ database, data }: Record<'database' | 'data', string>): string =>
  isPostgres(database) ? join(resolve(data), READ_MODEL) : resolve(database);

export const findPostgres = ({
  database,
  lead,
}: {
  readonly database: string;
  readonly lead: 'auto' | 'never';
}): PostgresPlace | null =>
  isPostgres(database) ? { address: database, isReader: lead === 'never' } : null;
