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
  /** Starts a standby that streams what is committed; once. */
  readonly standBy: () => Promise<Standby>;
};

export type Standby = {
  /** What is committed from now on it never gets. */
  readonly cutOff: () => Promise<void>;
  /** Ends the primary server; the standby then has its place in all that is asked here, but another port, which it returns. */
  readonly takeOver: () => Promise<number>;
};

type Started = Postgres & {
  /** Of the database that is there from the start. */
  readonly address: string;
  readonly end: () => Promise<void>;
  /** At once, where nothing can be waited for. */
  readonly kill: () => void;
};

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const SMALL = [
  'shared_buffers=32MB',
  'deadlock_timeout=100ms',
  'wal_retrieve_retry_interval=100ms',
];
const MANY = ['max_connections=500', 'max_prepared_transactions=20'];

/** PostgreSQL's own user, as whom alone its programs run where the tests are root's. */
export const asPostgres = (): readonly string[] =>
  process.getuid?.() === 0
    ? [findProgram('setpriv'), '--reuid=postgres', '--regid=postgres', '--clear-groups']
    : [];

/** A data folder, empty yet, and its program. */
const openNode = async (folder: string, name: string, settings: readonly string[]) => {
  const programs = findFolder() ?? '';
  const data = join(folder, name);
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
  const port = await freePort();
  const set = [...settings, ...MANY, `port=${port}`, 'listen_addresses=127.0.0.1'];
  const given = ['-k', data, ...set.flatMap((one) => ['-c', one])].join(' ');
  const mark = join(data, 'postmaster.pid');
  return {
    run,
    port,
    start: () => run('pg_ctl', 'start', '-s', '-l', join(data, 'log'), '-o', given),
    stop: async () => {
      if (existsSync(mark)) await run('pg_ctl', 'stop', '-s', '-m', 'fast');
    },
    kill: () => {
      const lines = existsSync(mark) ? readFileSync(mark, 'utf8').split('\n') : [];
      if (lines[0] !== undefined) process.kill(Number(lines[0]), 'SIGQUIT');
    },
  };
};

const connect = async (address: string): Promise<Client> => {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** `folder` is the test's own. */
export const startPostgres = async (
  folder: string,
  settings: readonly string[] = [...FAST, ...SMALL],
): Promise<Started> => {
  let node = await openNode(folder, 'postgres', settings);
  const nodes = [node];
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  await node.run('initdb', ...options, '--no-sync');
  await node.start();
  const addressOf = (database: string): string =>
    `postgres://postgres@127.0.0.1:${node.port}/${database}`;
  const standBy = async (): Promise<Standby> => {
    const standby = await openNode(folder, 'standby', settings);
    nodes.push(standby);
    // With the signal that makes it one, and the address that it streams from.
    const source = ['--host=127.0.0.1', `--port=${node.port}`, '--username=postgres'];
    await standby.run('pg_basebackup', ...source, '-R', '--checkpoint=fast', '--no-sync');
    await standby.start();
    let isCutOff = false;
    return {
      cutOff: async () => {
        isCutOff = true;
        const primary = await connect(addressOf('postgres'));
        const { rows } = await primary.query('SELECT pg_current_wal_insert_lsn() AS end');
        await primary.end();
        const admin = await connect(`postgres://postgres@127.0.0.1:${standby.port}/postgres`);
        const until = async (condition: string): Promise<void> => {
          while ((await admin.query(`SELECT WHERE ${condition}`)).rowCount === 0);
        };
        await until(`pg_last_wal_replay_lsn() >= '${rows[0].end}'`);
        await admin.query("ALTER SYSTEM SET primary_conninfo = ''");
        await admin.query('SELECT pg_reload_conf()');
        await until('NOT EXISTS (SELECT FROM pg_stat_wal_receiver)');
        await admin.end();
      },
      takeOver: async () => {
        // Which waits for a standby that is connected, as it is again some time after a restart.
        const primary = await connect(addressOf('postgres'));
        const streaming = "SELECT FROM pg_stat_replication WHERE state = 'streaming'";
        while (!isCutOff && (await primary.query(streaming)).rowCount === 0);
        await primary.end();
        await node.stop();
        node = standby;
        await node.run('pg_ctl', 'promote', '-s');
        return node.port;
      },
    };
  };
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
    stop: () => node.stop(),
    restart: async () => {
      await node.stop();
      await node.start();
    },
    standBy,
    kill: () => {
      for (const one of nodes) one.kill();
    },
    end: async () => {
      for (const one of nodes) await one.stop();
    },
  };
};
