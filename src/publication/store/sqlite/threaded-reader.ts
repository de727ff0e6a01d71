// A reader whose queries run on a thread of their own, so that long ones keep nobody waiting. The thread starts
// with the first query; where none can be had, the queries run on this one.
import { CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from 'kysely';
import { clientLeft } from '../../../base/threads/asking-client.ts';
import { endReasonOf, startThread, type Thread } from '../../../base/threads/thread.ts';
import type { Tables } from '../../tables/tables.ts';
import { type Execute, QueryDialect } from './query-dialect.ts';
import type { ReadRequest } from './read-worker.ts';

type Options = {
  readonly path: string;
  /** The bundled worker; null: queries run on this thread. */
  readonly workerFile: string | null;
  /** Reads on this thread. */
  readonly near: Kysely<Tables>;
};

/** Rows are short-lived: a small nursery keeps the thread small, which stays as long as the program. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

export type ThreadedReader = {
  readonly reader: Kysely<Tables>;
  /** Resolves when the thread has let go of the file. */
  readonly close: () => Promise<void>;
};

export const createThreadedReader = ({ path, workerFile, near }: Options): ThreadedReader => {
  if (workerFile === null) return { reader: near, close: async () => undefined };
  let thread: Thread<ReadRequest, readonly unknown[]> | null = null;
  let isClosed = false;
  const ask = async (request: ReadRequest): Promise<readonly unknown[] | null> => {
    if (isClosed) return null;
    thread ??= startThread(workerFile, { resourceLimits: LIMITS });
    const asked = thread;
    try {
      return await asked.ask(request);
    } catch (error) {
      if (endReasonOf(error) === null) throw error;
      // It could not start, or ended; the next query starts another one.
      if (thread === asked) thread = null;
      return null;
    }
  };
  const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const rows = await untilLeft((left) => ask({ path, sql, parameters, left }));
    return rows === null
      ? near.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
      : { rows: rows as Row[] };
  };
  return {
    reader: new Kysely<Tables>({ dialect: forQueries(execute) }),
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
};

/** Notes for another thread when the client that asks has left. */
const untilLeft = async <T>(work: (left: ReadRequest['left']) => Promise<T>): Promise<T> => {
  const signal = clientLeft();
  if (signal === undefined) return work(null);
  const left = new Int32Array(new SharedArrayBuffer(4));
  const note = (): void => void Atomics.store(left, 0, 1);
  if (signal.aborted) note();
  signal.addEventListener('abort', note);
  try {
    return await work(left);
  } finally {
    signal.removeEventListener('abort', note);
  }
};

const forQueries = (executeQuery: Execute): QueryDialect => {
  const connection: DatabaseConnection = {
    executeQuery,
    streamQuery: () => {
      throw new Error('This reader does not stream.');
    },
  };
  const refuse = (): never => {
    throw new Error('This reader has no transactions.');
  };
  return new QueryDialect({
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  });
};
