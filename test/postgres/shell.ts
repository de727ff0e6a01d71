// A shell of a publication in PostgreSQL that reads and runs as one of a file does, at once. Its statements run on the read
// model, which tells what they answer, and are taken back; then a thread saves them as any server saves, while this one waits.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import type { Asked, Statement } from './shell-worker.ts';

type Place = { readonly path: string; readonly address: string; readonly worker: string };

/** One for all shells of this process. */
const threads = new Map<string, Worker>();

export const openShell = ({ path, address, worker }: Place): SqliteConnection => {
  const file = new (loadDriver())(path);
  let noted: Statement[] | null = null;
  const saving = <T>(run: () => T): T => {
    if (noted !== null) return run();
    const statements: Statement[] = [];
    noted = statements;
    file.exec('BEGIN');
    try {
      return run();
    } finally {
      noted = null;
      file.exec('ROLLBACK');
      if (statements.length > 0) ask(worker, { path, address, statements });
    }
  };
  const prepare = (sql: string): BetterSqlite3.Statement => {
    const statement = file.prepare(sql);
    return statement.readonly ? statement : new Proxy(statement, { get: noting(sql) });
  };
  const noting =
    (sql: string) =>
    (statement: BetterSqlite3.Statement, name: 'run' | 'get' | 'all' | 'pluck') =>
    (...values: unknown[]): unknown =>
      saving(() => {
        const answer = statement[name] as (...given: unknown[]) => unknown;
        const result = answer.apply(statement, values);
        noted?.push({ sql, values });
        return result;
      });
  const own = {
    prepare,
    exec: (sql: string) => {
      saving(() => {
        file.exec(sql);
        noted?.push({ sql, values: null });
      });
    },
    transaction:
      <T, A extends unknown[]>(run: (...values: A) => T) =>
      (...values: A): T =>
        saving(() => run(...values)),
    close: () => {
      ask(worker, { path, address, statements: null });
      file.close();
    },
  };
  return new Proxy(file, {
    get: (target, name) => {
      if (name in own) return own[name as keyof typeof own];
      const value = target[name as keyof SqliteConnection] as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

/** Waits for the thread without a turn of the event loop. */
const ask = (worker: string, asked: Asked): void => {
  const thread = threads.get(worker) ?? new Worker(worker);
  thread.unref();
  threads.set(worker, thread);
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  thread.postMessage({ asked, done, port: port2 }, [port2]);
  Atomics.wait(done, 0, 0);
  const answer = receiveMessageOnPort(port1)?.message as { error: unknown };
  port1.close();
  if (answer.error !== null) throw answer.error;
};
