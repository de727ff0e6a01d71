// A MariaDB of the bench's own, with a Ghost's database in it.
import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { fillFromSqlite } from '../test/helpers/fill-mariadb.ts';
import { end } from './live-server.ts';
import { findFreePort, run } from './processes.ts';

export type GhostMariadb = {
  /** Of a user who may do everything. */
  readonly shell: Connection;
  /** As `follow` takes it. */
  readonly address: string;
  readonly end: () => Promise<void>;
};

/** Of a database that nobody else reaches. */
const USER = 'reader';
const PASSWORD = 'password';

/** `file`: of Ghost, in SQLite. `folder`: for what MariaDB writes. */
export const startGhostMariadb = async (folder: string, file: string): Promise<GhostMariadb> => {
  const data = join(folder, 'mariadb');
  const options = ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${data}`];
  const quiet = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await run('mariadb-install-db', [...options, ...quiet]);
  const socketPath = join(folder, 'mariadb.sock');
  const port = await findFreePort();
  const network = [`--socket=${socketPath}`, `--port=${port}`, '--bind-address=127.0.0.1'];
  const child = spawn('mariadbd', [...options, ...network], { stdio: 'ignore' });
  const shell = await connect(socketPath);
  await fillFromSqlite(shell, 'ghost', file);
  await shell.query('CREATE USER ? IDENTIFIED BY ?', [USER, PASSWORD]);
  await shell.query('GRANT SELECT ON ghost.* TO ?', [USER]);
  return {
    shell,
    address: `mysql://${USER}:${PASSWORD}@127.0.0.1:${port}/ghost`,
    end: async () => {
      await shell.end();
      await end(child);
    },
  };
};

const TRIES = 600;

/** Once the server answers. */
const connect = async (socketPath: string): Promise<Connection> => {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await createConnection({ socketPath, user: 'root', timezone: 'Z' });
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
};
