// A reader whose queries run on a thread of their own, so that long ones keep nobody waiting. The thread starts
// with the first query; where none can be had, the queries run on this one.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { AskedThread } from '../../base/asked-thread.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReadAnswer, ReadRequest } from './read-worker.ts';

type Options = {
  readonly path: string;
  /** The bundled worker; null: queries run on this thread. */
  readonly workerFile: string | null;
  /** Reads on this thread. */
  readonly near: Kysely<Tables>;
};

export type ThreadedReader = {
  readonly reader: Kysely<Tables>;
  /** Resolves when the thread has let go of the file. */
  readonly close: () => Promise<void>;
};

export const createThreadedReader = ({ path, workerFile, near }: Options): ThreadedReader => {
  if (workerFile === null) return { reader: near, close: async () => undefined };
  let thread: AskedThread<ReadRequest, ReadAnswer> | null = null;
  const ask = async (request: ReadRequest): Promise<ReadAnswer | null> => {
    let asked: typeof thread = null;
    try {
      thread ??= new AskedThread(workerFile, { workerData: { path } });
      asked = thread;
      return await asked.ask(request);
    } catch {
      // It could not start, or ended; the next query starts another one.
      if (thread === asked) thread = null;
      return null;
    }
  };
  const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const answer = await ask({ sql, parameters });
    if (answer === null) return near.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]));
    if ('rows' in answer) return { rows: answer.rows as Row[] };
    throw Object.assign(new Error(answer.message), { code: answer.code });
  };
  return {
    reader: new Kysely<Tables>({ dialect: new QueryDialect(execute) }),
    close: async () => thread?.close(),
  };
};

type Execute = DatabaseConnection['executeQuery'];

/** SQLite's, for single queries that somebody else runs. */
class QueryDialect implements Dialect {
  readonly #connection: DatabaseConnection;

  constructor(executeQuery: Execute) {
    this.#connection = {
      executeQuery,
      streamQuery: () => {
        throw new Error('This reader does not stream.');
      },
    };
  }

  createDriver(): Driver {
    const refuse = (): never => {
      throw new Error('This reader has no transactions.');
    };
    const nothing = async (): Promise<void> => undefined;
    return {
      init: nothing,
      acquireConnection: async () => this.#connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: nothing,
      destroy: nothing,
    };
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}
