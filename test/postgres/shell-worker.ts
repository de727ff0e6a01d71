// The thread of shells: it saves statements in PostgreSQL through the product, on the read model of the one who asks.
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { LOCKS } from '../../src/publication/store/postgres/change-log.ts';
import { openReadModel } from '../../src/publication/store/postgres/read-model.ts';
import { noteChanges } from '../../src/publication/store/postgres/row-changes.ts';
import { openSession } from '../../src/publication/store/postgres/session.ts';
import { createWrite } from '../../src/publication/store/postgres/write-through.ts';
import { openSqliteStore } from '../../src/publication/store/sqlite/open-store.ts';

/** Without values: any number of statements. */
export type Statement = { readonly sql: string; readonly values: readonly unknown[] | null };

export type Asked = {
  readonly path: string;
  readonly address: string;
  /** Null: no more come. */
  readonly statements: readonly Statement[] | null;
};

type Message = { readonly asked: Asked; readonly done: Int32Array; readonly port: MessagePort };

type Saver = {
  readonly save: (statements: readonly Statement[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

const savers = new Map<string, Saver>();

/** In PostgreSQL a commit has one action: what statements do under another one is another commit. */
const groupByAction = (statements: readonly Statement[]): [string, Statement[]][] => {
  const groups: [string, Statement[]][] = [['', []]];
  for (const statement of statements) {
    const [, text] = /^UPDATE action_scope SET action = (.+)$/.exec(statement.sql) ?? [];
    if (text === undefined) groups.at(-1)?.[1].push(statement);
    else groups.push([actionOf(text, statement.values), []]);
  }
  return groups.filter(([, group]) => group.length > 0);
};

/** Of a literal or a parameter; none: the empty text. */
const actionOf = (text: string, values: Statement['values']): string =>
  /^'(.*)'$/.exec(text)?.[1] ?? String(values?.[0] ?? '');

/** Whoever waits for this thread may be within a save of a timer, and goes on with it only after that. */
const endSaves = async (address: string): Promise<void> => {
  const session = await openSession(address);
  await session.query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE granted AND datname = current_database() AND (classid, objid) = (${LOCKS.save})`,
  );
  await session.close();
};

const openSaver = async ({ path, address }: Asked): Promise<Saver> => {
  const model = await openReadModel(path, { address, isReader: false }, {});
  let writer: SqliteConnection | null = null;
  const onReadModel = (connection: SqliteConnection): void => {
    noteChanges(connection, model.scope);
    writer = connection;
  };
  const local = await openSqliteStore(path, { onReadModel });
  const write = createWrite({ model, local, fence: async () => undefined });
  const saveAs = (action: string, statements: readonly Statement[]): Promise<void> =>
    write(
      async () => {
        await local.reopenIfReplaced();
        for (const { sql, values } of statements)
          if (values === null) writer?.exec(sql);
          else writer?.prepare(sql).run(...values);
      },
      { action },
    );
  return {
    save: async (statements) => {
      for (const [action, group] of groupByAction(statements))
        await saveAs(action, group).catch(async (error: unknown) => {
          if (!/\(55P03\)/.test(String(error))) throw error;
          await endSaves(address);
          await saveAs(action, group);
        });
    },
    close: async () => {
      await model.close();
      await local.close();
    },
  };
};

const answer = async (asked: Asked): Promise<void> => {
  const { path, statements } = asked;
  const saver = savers.get(path);
  if (statements !== null) {
    const open = saver ?? (await openSaver(asked));
    savers.set(path, open);
    return open.save(statements);
  }
  savers.delete(path);
  await saver?.close();
};

parentPort?.on('message', async ({ asked, done, port }: Message) => {
  const error = await answer(asked).then(
    () => null,
    // Errors of SQLite lose their message on the way.
    (thrown: unknown) => (thrown instanceof Error ? new Error(thrown.message) : thrown),
  );
  port.postMessage({ error });
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});
