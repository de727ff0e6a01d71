// A real PostgreSQL of this test alone: a fresh data folder, a socket in it, no waiting for the disk. PostgreSQL refuses to
// run as root, so it runs as the user that its package made.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { findProgram, freePort, missing, startProgram } from './program.ts';

const PROGRAMS = '/usr/lib/postgresql';

/** Debian keeps the programs of each version in a folder of its own. */
const findFolder = (): string | null => {
  const versions = existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? null : join(PROGRAMS, newest, 'bin');
};

const postgresReason = (): string | null => {
  const folder = findFolder();
  return missing(folder === null ? 'initdb' : join(folder, 'initdb'), 'apt-get install postgresql');
};

export type Postgres = {
  /** A new empty database; its address. */
  readonly create: (options?: string) => Promise<string>;
  /** A connection of the superuser, which the test ends. */
  readonly connect: (address: string) => Promise<Client>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Started = Postgres & { readonly end: () => Promise<void> };

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const SMALL = ['shared_buffers=32MB', 'max_prepared_transactions=20', 'deadlock_timeout=100ms'];

/** PostgreSQL's own user, as whom alone its programs run where the tests are root's. */
const asPostgres = (): readonly string[] =>
  process.getuid?.() === 0
    ? [findProgram('setpriv'), '--reuid=postgres', '--regid=postgres', '--clear-groups']
    : [];

/** `folder` is the test's own. */
const startPostgres = async (folder: string): Promise<Started> => {
  const programs = findFolder() ?? '';
  const data = join(folder, 'postgres');
  mkdirSync(data, { mode: 0o700 });
  const user = asPostgres();
  if (user.length > 0) {
    const idOf = (kind: string): number =>
      Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
    chownSync(data, idOf('-u'), idOf('-g'));
  }
  const [initdb = '', ...rest] = [...user, join(programs, 'initdb')];
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  execFileSync(initdb, [...rest, ...options, '--no-sync', '-D', data], {
    stdio: 'ignore',
    cwd: folder,
  });
  const port = await freePort();
  const addressOf = (database: string): string =>
    `postgres://postgres@127.0.0.1:${port}/${database}`;
  const connect = async (address: string): Promise<Client> => {
    const client = new Client({ connectionString: address });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const set = [...FAST, ...SMALL, `port=${port}`, 'listen_addresses=127.0.0.1'];
  const command = [...user, join(programs, 'postgres'), '-D', data, '-k', data];
  const start = () =>
    startProgram([...command, ...set.flatMap((one) => ['-c', one])], {
      cwd: folder,
      port,
      // The first one waits for clients to leave.
      endSignal: 'SIGINT',
      ask: async () => (await connect(addressOf('postgres'))).end(),
    });
  let program = await start();
  let made = 0;
  return {
    connect,
    create: async (more = '') => {
      made += 1;
      const admin = await connect(addressOf('postgres'));
      await admin.query(`CREATE DATABASE test_${made} TEMPLATE template0 ${more}`);
      await admin.end();
      return addressOf(`test_${made}`);
    },
    stop: () => program.end(),
    restart: async () => {
      await program.end();
      program = await start();
    },
    end: () => program.end(),
  };
};

export const pgbouncerReason = (): string | null =>
  missing('pgbouncer', 'apt-get install pgbouncer');

/** A pooler in transaction mode before a database, ended with the test; the address of that database through it. */
export const startPgbouncer = async (address: string): Promise<string> => {
  const { hostname, port: far, pathname } = new URL(address);
  const folder = temporaryFolder();
  const port = await freePort();
  const pooled = `postgres://postgres@127.0.0.1:${port}${pathname}`;
  const facts = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ auth_type: 'trust', auth_file: join(folder, 'users.txt'), pool_mode: 'transaction' },
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n');
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    ['[databases]', `* = host=${hostname} port=${far}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  const command = [...asPostgres(), findProgram('pgbouncer'), join(folder, 'pgbouncer.ini')];
  const program = await startProgram(command, {
    cwd: folder,
    port,
    ask: async () => {
      const client = new Client({ connectionString: pooled });
      await client.connect();
      await client.end();
    },
  });
  onTestFinished(program.end);
  return pooled;
};

/** Tests of one PostgreSQL, in a folder of their own. */
export const describePostgres = (tests: (server: Postgres, suiteFolder: string) => void): void => {
  const reason = postgresReason();
  const skipped = reason === null ? '' : ` (skipped: ${reason})`;
  describe.skipIf(reason !== null)(`PostgreSQL${skipped}`, () => {
    const suite = suiteFolder();
    let started: Started;
    beforeAll(async () => {
      started = await startPostgres(suite.path);
    });
    afterAll(async () => {
      await started?.end();
      suite.remove();
    });
    const server: Postgres = {
      create: (options) => started.create(options),
      connect: (address) => started.connect(address),
      restart: () => started.restart(),
      stop: () => started.stop(),
    };
    tests(server, suite.path);
  });
};
