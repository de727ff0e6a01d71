// A real MariaDB of this test alone: a fresh data folder, and a free port of 127.0.0.1.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mysql2/promise';
import { findProgram, freePort } from './program.ts';
import { startProgram } from './start-program.ts';

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
