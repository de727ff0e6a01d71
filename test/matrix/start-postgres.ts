// A real PostgreSQL of these tests alone: a fresh data folder, a socket in it, no waiting for the disk. PostgreSQL refuses to
// run as root, so it runs as the user that its package made.
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findProgram, freePort, missing } from './program.ts';

const PROGRAMS = '/usr/lib/postgresql';

/** Debian keeps the programs of each version in a folder of its own. */
const findFolder = (): string | null => {
  const versions = existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [];
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? null : join(PROGRAMS, newest, 'bin');
};

/** The shell of PostgreSQL. */
export const PSQL = join(findFolder() ?? '', 'psql');

export const postgresReason = (): string | null => {
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

type Started = Postgres & {
  /** Of the database that is there from the start. */
  readonly address: string;
  readonly end: () => Promise<void>;
  /** At once, where nothing can be waited for. */
  readonly kill: () => void;
};

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const SMALL = ['shared_buffers=32MB', 'deadlock_timeout=100ms'];
const MANY = ['max_connections=500', 'max_prepared_transactions=20'];

/** PostgreSQL's own user, as whom alone its programs run where the tests are root's. */
export const asPostgres = (): readonly string[] =>
  process.getuid?.() === 0
    ? [findProgram('setpriv'), '--reuid=postgres', '--regid=postgres', '--clear-groups']
    : [];

/** `folder` is the test's own. */
export const startPostgres = async (folder: string): Promise<Started> => {
  const programs = findFolder() ?? '';
  const data = join(folder, 'postgres');
  mkdirSync(data, { mode: 0o700 });
  const user = asPostgres();
  if (user.length > 0) {
    const idOf = (kind: string): number =>
      Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
    chownSync(data, idOf('-u'), idOf('-g'));
  }
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const [first = '', ...rest] = [...user, join(programs, program), '-D', data, ...args];
    await promisify(execFile)(first, rest, { cwd: folder });
  };
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  await run('initdb', ...options, '--no-sync');
  const port = await freePort();
  const addressOf = (database: string): string =>
    `postgres://postgres@127.0.0.1:${port}/${database}`;
  const connect = async (address: string): Promise<Client> => {
    const client = new Client({ connectionString: address });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const set = [...FAST, ...SMALL, ...MANY, `port=${port}`, 'listen_addresses=127.0.0.1'];
  const given = ['-k', data, ...set.flatMap((one) => ['-c', one])].join(' ');
  const start = () => run('pg_ctl', 'start', '-s', '-l', join(data, 'log'), '-o', given);
  const stop = () => run('pg_ctl', 'stop', '-s', '-m', 'fast');
  await start();
  const mark = join(data, 'postmaster.pid');
  let made = 0;
  return {
    address: addressOf('postgres'),
    connect,
    create: async (more = '') => {
      made += 1;
      const admin = await connect(addressOf('postgres'));
      await admin.query(`CREATE DATABASE test_${made} TEMPLATE template0 ${more}`);
      await admin.end();
      return addressOf(`test_${made}`);
    },
    stop,
    restart: async () => {
      if (existsSync(mark)) await stop();
      await start();
    },
    kill: () => {
      const lines = existsSync(mark) ? readFileSync(mark, 'utf8').split('\n') : [];
      if (lines[0] !== undefined) process.kill(Number(lines[0]), 'SIGQUIT');
    },
    end: async () => {
      if (existsSync(mark)) await stop();
    },
  };
};
