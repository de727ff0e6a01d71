// A real MariaDB of this test alone: a fresh data folder, a free port of 127.0.0.1, and databases of Ghost filled
// from a SQLite file of Ghost, with the column types that Ghost's own migrations make there.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { findProgram, freePort, startProgram } from './program.ts';

export const MARIADB_INSTALL = 'apt-get install mariadb-server';

/** One that addresses have to spell otherwise. */
const PASSWORD = 'p@ss/wörd#1';

export type Mariadb = {
  /** Of the superuser, for edits and grants. */
  readonly root: Connection;
  readonly port: number;
  /** Of its TLS, signed by nobody else. */
  readonly certificate: string;
  /** The address for a user who may read that database alone; makes the user. */
  readonly addressOf: (database: string) => Promise<string>;
  /** A further connection of the superuser, which the test ends. */
  readonly connect: (database: string) => Promise<Connection>;
  readonly end: () => Promise<void>;
};

/** `folder` is the test's own. */
export const startMariadb = async (folder: string): Promise<Mariadb> => {
  const data = join(folder, 'mariadb');
  const user = `--user=${execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}`;
  const small = ['--innodb-log-file-size=8M', '--innodb-buffer-pool-size=64M'];
  execFileSync(
    findProgram('mariadb-install-db'),
    ['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db', user]
      .concat(`--datadir=${data}`)
      .concat(small),
    { stdio: 'ignore' },
  );
  const certificate = makeCertificate(folder);
  const port = await freePort();
  const socketPath = join(folder, 'mariadb.sock');
  const connect = (database?: string): Promise<Connection> =>
    createConnection({ socketPath, user: 'root', timezone: 'Z', ...(database && { database }) });
  const program = await startProgram(
    ['mariadbd', '--no-defaults', user, `--datadir=${data}`, `--port=${port}`]
      .concat(`--socket=${socketPath}`, '--bind-address=127.0.0.1', '--skip-log-bin')
      // A zone that nobody may read times in, and no waiting for the disk.
      .concat('--default-time-zone=+05:00', '--innodb-flush-log-at-trx-commit=0')
      .concat(small, certificate.options),
    { cwd: folder, port, ask: async () => (await connect()).end() },
  );
  const root = await connect();
  return {
    root,
    port,
    certificate: certificate.text,
    addressOf: async (database) => {
      const name = `reader_${database}`;
      await root.query(`CREATE OR REPLACE USER ?@'%' IDENTIFIED BY ?`, [name, PASSWORD]);
      await root.query(`GRANT SELECT ON ??.* TO ?@'%'`, [database, name]);
      return `mysql://${name}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
    },
    connect,
    end: async () => {
      await root.end();
      await program.end();
    },
  };
};

const makeCertificate = (folder: string) => {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', file], {
    stdio: 'ignore',
  });
  return {
    text: readFileSync(file, 'utf8'),
    options: [`--ssl-cert=${file}`, `--ssl-key=${key}`],
  };
};

export const PASSWORD_FORMS: readonly string[] = [PASSWORD, encodeURIComponent(PASSWORD)];

/** Makes `database` anew with the tables and rows of Ghost's SQLite file. */
export const fillFromSqlite = async (
  root: Connection,
  database: string,
  file: string,
): Promise<void> => {
  const from = new (loadDriver())(file, { readonly: true });
  try {
    await root.query('DROP DATABASE IF EXISTS ??', [database]);
    await root.query('CREATE DATABASE ?? CHARACTER SET utf8mb4', [database]);
    await root.query('USE ??', [database]);
    const tables = from
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all() as string[];
    for (const table of tables) await copyTable(root, from, table);
  } finally {
    from.close();
  }
};

type SqliteColumn = { readonly name: string; readonly type: string; readonly pk: number };

const copyTable = async (
  root: Connection,
  from: SqliteConnection,
  table: string,
): Promise<void> => {
  const columns = from.pragma(`table_info("${table}")`) as SqliteColumn[];
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => `\`${name}\``);
  const lines = columns.map(({ name, type, pk }) => {
    // A key has a length there.
    const own = typeIn(type);
    return `\`${name}\` ${pk > 0 && own === 'LONGTEXT' ? 'VARCHAR(191)' : own}`;
  });
  if (key.length > 0) lines.push(`PRIMARY KEY (${key.join(', ')})`);
  await root.query(`CREATE TABLE \`${table}\` (${lines.join(', ')}) ENGINE = InnoDB`);
  const rows = from.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][];
  const values = rows.map((row) => row.map((value, at) => valueIn(columns[at]?.type, value)));
  for (let at = 0; at < values.length; at += 500) {
    await root.query('INSERT INTO ?? VALUES ?', [table, values.slice(at, at + 500)] as never);
  }
};

const typeIn = (type: string): string => {
  if (/^(?:long)?text/i.test(type)) return 'LONGTEXT';
  if (/^boolean/i.test(type)) return 'TINYINT(1)';
  return /^(?:datetime|integer|bigint)/i.test(type)
    ? type
    : /^varchar/i.test(type)
      ? type
      : 'LONGTEXT';
};

/** Some of Ghost's writers leave milliseconds or another form in SQLite, which MySQL's column cannot hold. */
const valueIn = (type: string | undefined, value: unknown): unknown =>
  /^datetime/i.test(type ?? '') && (typeof value === 'number' || String(value).includes('T'))
    ? new Date(value as string | number).toISOString().slice(0, 19).replace('T', ' ')
    : value;
