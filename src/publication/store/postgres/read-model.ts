// The read model of this machine, moved on while a program runs: PostgreSQL is asked five times a second. What was read last
// stays while PostgreSQL is away; a position that its log does not hold any more has the file filled again.
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { findIdentity } from '../../../base/sqlite/file-identity.ts';
import type { PostgresPlace } from '../../../settings/database-address.ts';
import { fillReadModel } from './fill.ts';
import { prepareDatabase } from './prepare-database.ts';
import { isReadModel, type Scope, scopeOf } from './read-model-file.ts';
import { openSession, type Session } from './session.ts';
import { tail } from './tail.ts';

const POLL_MS = 200;
const RETRY_MAX_MS = 5_000;

type Options = { readonly onWarning?: ((sentence: string) => void) | undefined };

export type ReadModel = {
  readonly scope: Scope;
  /** Runs `work` while nothing else moves the file or asks PostgreSQL here. */
  readonly alone: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Within `alone`: brings the file to the newest commit. */
  readonly catchUp: (session: Session) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Throws what PostgreSQL says when there is no file yet to read from. */
export const openReadModel = async (
  path: string,
  place: PostgresPlace,
  options: Options,
): Promise<ReadModel> => {
  const mover = new Mover(path, place, options);
  try {
    await mover.alone((session) => mover.catchUp(session));
  } catch (error) {
    if (!isAway(error) || !isReadModel(path, mover.scope)) {
      await mover.close();
      throw error;
    }
    options.onWarning?.(`${(error as Error).message} What was read last is shown.`);
  }
  mover.start();
  return mover;
};

const isAway = (error: unknown): boolean =>
  error instanceof PrepressError && error.code === 'DATABASE_UNREACHABLE';

class Mover implements ReadModel {
  readonly scope: Scope;
  readonly #path: string;
  readonly #place: PostgresPlace;
  readonly #options: Options;
  readonly #ending = new AbortController();
  #session: Session | null = null;
  #file: { readonly connection: SqliteConnection; readonly identity: string | null } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();

  constructor(path: string, place: PostgresPlace, options: Options) {
    this.scope = scopeOf(place.isReader);
    this.#path = path;
    this.#place = place;
    this.#options = options;
  }

  alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => work(await this.#open()));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async catchUp(session: Session): Promise<void> {
    const connection = this.#findFile();
    const state = connection === null ? 'lost' : await tail(session, connection, this.scope);
    if (state !== 'lost') return;
    if (connection !== null)
      this.#options.onWarning?.(`${session.name} has another log now; its rows are read again.`);
    this.#closeFile();
    await fillReadModel(session, this.#path, this.scope);
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#last;
    this.#closeFile();
    await this.#session?.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let waitMs = POLL_MS;
    for (;;) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const isFirst = waitMs === POLL_MS;
      try {
        await this.alone((session) => this.catchUp(session));
        waitMs = POLL_MS;
      } catch (error) {
        if (isFirst) this.#options.onWarning?.(`${messageOf(error)} What was read last is shown.`);
        waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
      }
    }
  }

  async #open(): Promise<Session> {
    if (this.#session?.isOpen()) return this.#session;
    await this.#session?.close();
    this.#session = null;
    const session = await openSession(this.#place.address);
    try {
      await prepareDatabase(session, this.#place);
    } catch (error) {
      await session.close();
      throw error;
    }
    this.#session = session;
    return session;
  }

  /** Null where none can be moved on; another program of this machine may have filled it anew. */
  #findFile(): SqliteConnection | null {
    const identity = findIdentity(this.#path);
    if (this.#file !== null && this.#file.identity === identity) return this.#file.connection;
    this.#closeFile();
    if (!isReadModel(this.#path, this.scope)) return null;
    const connection = openConnection(this.#path, { mustExist: true, synchronous: 'NORMAL' });
    connection.pragma('foreign_keys = OFF');
    this.#file = { connection, identity };
    return connection;
  }

  #closeFile(): void {
    this.#file?.connection.close();
    this.#file = null;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
