// A writer whose transactions run on a thread of their own, so that long texts on their way into the file keep nobody
// waiting. The thread starts with a transaction and ends with it, which gives its memory back; other writers wait for it
// as for another program's.
import { CompiledQuery, type DatabaseConnection, Kysely } from 'kysely';
import { AskedThread } from '../../base/asked-thread.ts';
import type { Tables } from '../tables/tables.ts';
import { retryWhileBusy } from './dialect.ts';
import { type Execute, QueryDialect } from './query-dialect.ts';
import type { ReadAnswer, ReadRequest } from './read-worker.ts';

type Thread = AskedThread<ReadRequest, ReadAnswer>;

type Options = {
  readonly path: string;
  /** The bundled worker. */
  readonly workerFile: string;
  readonly lockTimeoutMs: number;
};

/** For transactions alone. */
export const createThreadedWriter = ({
  path,
  workerFile,
  lockTimeoutMs,
}: Options): Kysely<Tables> => {
  const threads = new WeakMap<DatabaseConnection, Thread>();
  return new Kysely<Tables>({
    dialect: new QueryDialect({
      acquireConnection: async () => {
        const thread: Thread = new AskedThread(workerFile, { workerData: { path, writes: true } });
        const connection = connectionOf(thread);
        threads.set(connection, thread);
        return connection;
      },
      releaseConnection: async (connection) => {
        await threads.get(connection)?.close();
      },
      beginTransaction: (connection) =>
        retryWhileBusy(() => run(connection, 'begin immediate'), lockTimeoutMs),
      commitTransaction: (connection) => run(connection, 'commit'),
      rollbackTransaction: (connection) => run(connection, 'rollback'),
    }),
  });
};

const run = async (connection: DatabaseConnection, sql: string): Promise<void> => {
  await connection.executeQuery(CompiledQuery.raw(sql));
};

const connectionOf = (thread: Thread): DatabaseConnection => {
  const executeQuery: Execute = async <Row>({ sql, parameters }: CompiledQuery) => {
    const answer = await thread.ask({ sql, parameters });
    if ('rows' in answer) {
      const { rows, changes } = answer;
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    }
    throw Object.assign(new Error(answer.message), { code: answer.code });
  };
  return {
    executeQuery,
    streamQuery: () => {
      throw new Error('This writer does not stream.');
    },
  };
};
