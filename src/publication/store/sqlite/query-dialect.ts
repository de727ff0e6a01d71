// Kysely's dialect for SQLite where somebody else runs the queries: a thread.
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

export type Execute = DatabaseConnection['executeQuery'];

type Connecting = Omit<Driver, 'init' | 'destroy'>;

export class QueryDialect implements Dialect {
  readonly #connecting: Connecting;

  constructor(connecting: Connecting) {
    this.#connecting = connecting;
  }

  createDriver(): Driver {
    const nothing = async (): Promise<void> => undefined;
    return { ...this.#connecting, init: nothing, destroy: nothing };
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
