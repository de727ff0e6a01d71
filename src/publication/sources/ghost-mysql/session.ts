// One connection to MySQL or MariaDB: queries one after the other, rows at once or streamed. An error of the
// connection ends what is under way, and everything after it. All that throws, throws one of the SOURCE_ codes.
import type { Readable } from 'node:stream';
import type { Connection, ConnectionOptions } from 'mysql2';
import { PrepressError } from '../../../base/errors.ts';
import { loadOptional } from '../../../base/optional-packages.ts';
import type { RawRow } from '../source.ts';
import { type MysqlAddress, SSL_FORMS } from './address.ts';
import { asMysqlError } from './mysql-errors.ts';

const CONNECT_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 10_000;
/** Rows that are read ahead of whoever takes them. */
const ROWS_AHEAD = 200;

export type Statement = { readonly sql: string; readonly values?: [ids: string[]] };

export type MysqlSession = {
  readonly query: (statement: Statement) => Promise<readonly RawRow[]>;
  /** Left before its end, it ends the connection. */
  readonly stream: (statement: Statement) => AsyncIterable<RawRow>;
  readonly close: () => Promise<void>;
};

/** What is under way, and the error by which the connection ended. */
type Link = { readonly name: string; stream: Readable | null; error: Error | null };

export const openSession = async (address: MysqlAddress): Promise<MysqlSession> => {
  // Seldom needed, and a large package.
  const { createConnection } = await loadOptional(
    'mysql2',
    'Sources mysql://',
    () => import('mysql2'),
  );
  const link: Link = { name: address.name, stream: null, error: null };
  const connection = createAs(link, () => createConnection(optionsOf(address)));
  connection.on('error', (error) => {
    link.error ??= error;
    link.stream?.destroy(error);
  });
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error === null ? resolve() : reject(error))),
    );
  } catch (error) {
    connection.destroy();
    throw asMysqlError(link.name, error, 'connecting');
  }
  return {
    query: (statement) => queryAll(connection, link, statement),
    stream: (statement) => streamRows(connection, link, statement),
    close: () => close(connection, link),
  };
};

const optionsOf = ({
  host,
  port,
  user,
  password,
  database,
  ssl,
  socketPath,
}: MysqlAddress): ConnectionOptions => ({
  host,
  port,
  user,
  password,
  database,
  ...(ssl !== undefined && { ssl }),
  ...(socketPath !== undefined && { socketPath }),
  connectTimeout: CONNECT_TIMEOUT_MS,
  enableKeepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_MS,
  charset: 'UTF8MB4_GENERAL_CI',
  timezone: 'Z',
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
});

/** Options of TLS that cannot be used make it throw at once. */
const createAs = ({ name }: Link, create: () => Connection): Connection => {
  try {
    return create();
  } catch (cause) {
    const sentence = `The option ssl of the address of ${name} cannot be used: ${SSL_FORMS}`;
    throw new PrepressError('USAGE', sentence, { cause });
  }
};

/** A server notes connections that end without a word. */
const close = async (connection: Connection, { stream, error }: Link): Promise<void> => {
  if (stream !== null || error !== null) connection.destroy();
  else await new Promise<void>((resolve) => connection.end(() => resolve()));
};

const queryAll = async (
  connection: Connection,
  link: Link,
  { sql, values }: Statement,
): Promise<readonly RawRow[]> => {
  try {
    if (link.error !== null) throw link.error;
    return await new Promise<RawRow[]>((resolve, reject) =>
      connection.query({ sql, ...(values && { values }) }, (error, rows) =>
        error === null ? resolve(rows as RawRow[]) : reject(error),
      ),
    );
  } catch (error) {
    throw asMysqlError(link.name, error, 'reading');
  }
};

async function* streamRows(
  connection: Connection,
  link: Link,
  { sql, values }: Statement,
): AsyncGenerator<RawRow> {
  let isWhole = false;
  try {
    if (link.error !== null) throw link.error;
    link.stream = connection
      .query({ sql, ...(values && { values }) })
      .stream({ highWaterMark: ROWS_AHEAD });
    for await (const row of link.stream) yield row as RawRow;
    isWhole = true;
  } catch (error) {
    throw asMysqlError(link.name, error, 'reading');
  } finally {
    link.stream = null;
    // The rest would have to be read first.
    if (!isWhole) {
      link.error ??= new Error('left before the end');
      connection.destroy();
    }
  }
}
