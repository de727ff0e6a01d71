// The thread that reads or writes what takes long: one connection, opened with the thread, which only reads unless it
// is told to write; each request is one query, answered in order. It sees whatever was committed before it was asked.
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { keepStatements } from './kept-statements.ts';

export type ReadRequest = { readonly sql: string; readonly parameters: readonly unknown[] };

export type ReadAnswer =
  | { readonly rows: readonly unknown[]; readonly changes: number }
  /** An error of SQLite: on its way between threads it would lose its code. */
  | { readonly message: string; readonly code: string | undefined };

const { path, writes } = workerData as { readonly path: string; readonly writes?: boolean };
const connection = openConnection(path, { readonly: !writes, mustExist: true });
const prepare = keepStatements((sql) => connection.prepare(sql));

const answer = ({ sql, parameters }: ReadRequest): ReadAnswer => {
  try {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 };
    return { rows: [], changes: statement.run(parameters).changes };
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { message, code };
  }
};

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request)));
