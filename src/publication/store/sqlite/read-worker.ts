// The thread that reads what takes long: one connection, opened with the thread; each request is one query, answered in
// order. It sees whatever was committed before it was asked.
import { parentPort, workerData } from 'node:worker_threads';
import { cacheStatements } from '../../../base/sqlite/statement-cache.ts';
import { type PackedError, packError } from '../../../base/threads/thread-error.ts';
import { openListReader } from './reading-time.ts';

export type ReadRequest = { readonly sql: string; readonly parameters: readonly unknown[] };

export type ReadAnswer = { readonly rows: readonly unknown[] } | { readonly error: PackedError };

const { path } = workerData as { readonly path: string };
const connection = openListReader(path);
const prepare = cacheStatements((sql) => connection.prepare(sql));

const answer = ({ sql, parameters }: ReadRequest): ReadAnswer => {
  try {
    return { rows: prepare(sql).all(parameters) };
  } catch (error) {
    return { error: packError(error) };
  }
};

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request)));
