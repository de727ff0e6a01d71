// Tests of one PostgreSQL, and a pooler before it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { findProgram, freePort, missing } from './program.ts';
import { asPostgres, type Postgres, postgresReason, startPostgres } from './start-postgres.ts';
import { startProgram } from './start-program.ts';

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

/** They are in a folder of their own. */
export const describePostgres = (tests: (server: Postgres, suiteFolder: string) => void): void => {
  const reason = postgresReason();
  const skipped = reason === null ? '' : ` (skipped: ${reason})`;
  describe.skipIf(reason !== null)(`PostgreSQL${skipped}`, () => {
    const suite = suiteFolder();
    let started: Awaited<ReturnType<typeof startPostgres>>;
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
      standBy: () => started.standBy(),
    };
    tests(server, suite.path);
  });
};
