// Kysely's SQLite dialect with two differences: a transaction begins IMMEDIATE, so that it never fails
// half way beside a second writer, and waits for a foreign lock without stopping the event loop; and
// statements are kept.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { PrepressError } from '../../../base/errors.ts';
import { isBusy } from '../../../base/sqlite/error-kinds.ts';
import { cacheStatements } from '../../../base/sqlite/statement-cache.ts';

type ImmediateConfig = SqliteDialectConfig & {
  readonly database: SqliteDatabase;
  /** How long a transaction waits for other writers before DATABASE_BUSY. */
  readonly lockTimeoutMs: number;
};

class ImmediateDriver extends SqliteDriver {
  readonly #lockTimeoutMs: number;

  constructor(config: ImmediateConfig) {
    super(config);
    this.#lockTimeoutMs = config.lockTimeoutMs;
  }

  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return retryWhileBusy(
      () => connection.executeQuery(CompiledQuery.raw('begin immediate')).then(() => undefined),
      this.#lockTimeoutMs,
    );
  }

  /** A full disk makes SQLite roll back by itself; the error that says so is the one to hear of. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!/no transaction is active/.test((error as Error).message)) throw error;
    }
  }
}

export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ImmediateConfig;

  constructor(config: ImmediateConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    const { database } = this.#config;
    const prepare = cacheStatements((sql) => database.prepare(sql));
    return new ImmediateDriver({
      ...this.#config,
      database: { prepare, close: () => database.close() },
    });
  }
}

/** Runs `attempt` again while the database is locked; throws DATABASE_BUSY after `timeoutMs`. */
export const retryWhileBusy = async <T>(
  attempt: () => T | Promise<T>,
  timeoutMs: number,
): Promise<T> => {
  const started = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      const waitedMs = performance.now() - started;
      if (waitedMs > timeoutMs) {
        const seconds = Math.round(waitedMs / 1000);
        throw new PrepressError('DATABASE_BUSY', `The database stayed locked for ${seconds} s.`, {
          cause,
        });
      }
      await sleep(10 + Math.random() * 40);
    }
  }
};
