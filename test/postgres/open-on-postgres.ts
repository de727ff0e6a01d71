// A fresh publication in PostgreSQL for a test, with the same shell as one in a file: what its statements change is
// committed in PostgreSQL, and can be read when they return.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { HOME } from '../../src/publication/store/postgres/change-log.ts';
import { listTables, quote } from '../../src/publication/store/postgres/table-shapes.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { eventually } from '../helpers/eventually.ts';
import type { GivenPostgres } from './global-setup.ts';
import { openShell } from './shell.ts';

type Opened = {
  readonly path: string;
  readonly store: Store;
  readonly shell: SqliteConnection;
  readonly close: () => Promise<void>;
};

export const openOnPostgres = async (
  folder: string,
  { address, template, shellWorker }: GivenPostgres,
): Promise<Opened> => {
  const own = free.pop() ?? (await makeDatabase(address, template));
  const path = join(folder, 'publication.db');
  const postgres = { address: own, isReader: false };
  const store = await openStore(path, { postgres, mayLead: true });
  const shell = openShell({ path, address: own, worker: shellWorker });
  return {
    path,
    store: runningTwice(store),
    shell,
    close: async () => {
      shell.close();
      await store.close();
      await ask(own, EMPTY);
      free.push(own);
    },
  };
};

/** Databases of this process that nobody has: making one takes longer than a test. */
const free: string[] = [];

const makeDatabase = async (address: string, template: string): Promise<string> => {
  const name = `copy_${randomBytes(8).toString('hex')}`;
  await ask(address, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const own = new URL(address);
  own.pathname = name;
  // As if it had been made here: a copied database begins another log.
  await ask(own.href, `UPDATE log_state SET home = ${HOME}`);
  return own.href;
};

/** What is logged of this is sealed before it goes. */
const EMPTY = `BEGIN; ${listTables()
  .map(({ name }) => `DELETE FROM ${quote(name)};`)
  .reverse()
  .join(' ')}
  SET CONSTRAINTS ALL IMMEDIATE; DELETE FROM changes; DELETE FROM commits; DELETE FROM servers;
  SELECT setval('changes_seq', 1, false);
  UPDATE log_state SET epoch = encode(uuid_send(gen_random_uuid()), 'hex'); COMMIT`;

const ask = async (address: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

class FirstRun extends Error {}

/** A save may run again, when another program commits meanwhile: here each one does, after what it did was taken back. */
const runningTwice = (store: Store): Store => {
  const write: Store['write'] = async (run, options) => {
    const runOnce = store.write(async (tx) => {
      await run(tx);
      throw new FirstRun();
    }, options);
    await runOnce.catch((error: unknown) => {
      if (!(error instanceof FirstRun)) throw error;
    });
    return store.write(run, options);
  };
  // A shell holds this thread up, on a slow machine for longer than the lease: a cycle begins when it is renewed.
  const reopenIfReplaced: Store['reopenIfReplaced'] = async () => {
    await eventually(() => expect(store.leads()).toBe(true));
    return store.reopenIfReplaced();
  };
  const own = { enumerable: true, writable: true };
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(store),
      write: { ...own, value: write },
      reopenIfReplaced: { ...own, value: reopenIfReplaced },
    },
  ) as Store;
};
