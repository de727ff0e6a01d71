// The thread that reads what takes long: one connection, opened with the thread; each request is one query, answered in
// order. It sees whatever was committed before it was asked.
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { cacheStatements } from './statement-cache.ts';

export type ReadRequest = { readonly sql: string; readonly parameters: readonly unknown[] };

export type ReadAnswer =
  | { readonly rows: readonly unknown[] }
  /** An error of SQLite: on its way between threads it would lose its code. */
  | { readonly message: string; readonly code: string | undefined };

const { path } = workerData as { readonly path: string };
const connection = openConnection(path, { readonly: true });
const prepare = cacheStatements((sql) => connection.prepare(sql));

const answer = ({ sql, parameters }: ReadRequest): ReadAnswer => {
  try {
    return { rows: prepare(sql).all(parameters) };
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { message, code };
  }
};

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request)));
