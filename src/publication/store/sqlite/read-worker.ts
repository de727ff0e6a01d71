// The thread that reads what takes long: one connection, opened for the first request; each request is one query. It sees
// whatever was committed before it was asked.
import { cacheStatements } from '../../../base/sqlite/statement-cache.ts';
import { serveThread } from '../../../base/threads/serve-thread.ts';
import { openListReader } from './reading-time.ts';

export type ReadRequest = {
  /** Of the database. */
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Its first number is 1 once nobody waits for the answer. */
  readonly left: Int32Array<SharedArrayBuffer> | null;
};

let left: ReadRequest['left'] = null;

const open = (path: string) => {
  const connection = openListReader(path, () => left !== null && Atomics.load(left, 0) === 1);
  return cacheStatements((sql) => connection.prepare(sql));
};

let prepare: ReturnType<typeof open> | null = null;

serveThread(({ path, sql, parameters, ...request }: ReadRequest): readonly unknown[] => {
  left = request.left;
  prepare ??= open(path);
  return prepare(sql).all(parameters);
});
