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
import { isReadModel, readPosition, type Scope, scopeOf } from './read-model-file.ts';
import { openSession, type Session } from './session.ts';
import { tail } from './tail.ts';

const POLL_MS = 200;
const RETRY_MAX_MS = 5_000;

type Options = { readonly onWarning?: ((sentence: string) => void) | undefined };

export type ReadModel = {
  readonly scope: Scope;
  /** Runs `work` while nothing else moves the file or asks PostgreSQL here. */
  readonly alone: <T>(work: (session: Session, writer: Session) => Promise<T>) => Promise<T>;
  /** Within `alone`: brings the file to the newest commit, and answers its number. */
  readonly catchUp: (session: Session) => Promise<number>;
  /** The number of the newest commit in the file. */
  readonly seen: () => number;
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

export const isAway = (error: unknown): boolean =>
  error instanceof PrepressError && error.code === 'DATABASE_UNREACHABLE';

class Mover implements ReadModel {
  readonly scope: Scope;
  readonly #path: string;
  readonly #place: PostgresPlace;
  readonly #options: Options;
  readonly #ending = new AbortController();
  #sessions: readonly [Session, Session] | null = null;
  #file: { readonly connection: SqliteConnection; readonly identity: string | null } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #seen = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(path: string, place: PostgresPlace, options: Options) {
    this.scope = scopeOf(place.isReader);
    this.#path = path;
    this.#place = place;
    this.#options = options;
  }

  alone<T>(work: (session: Session, writer: Session) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => work(...(await this.#open())));
    this.#last = done.catch(() => undefined);
    return done;
  }

  seen = (): number => this.#seen;

  async catchUp(session: Session): Promise<number> {
    this.#seen = await this.#move(session);
    return this.#seen;
  }

  async #move(session: Session): Promise<number> {
    const connection = this.#findFile();
    const state = connection === null ? 'lost' : await tail(session, connection, this.scope);
    if (connection !== null && state !== 'lost') return readPosition(connection).seq;
    if (connection !== null)
      this.#options.onWarning?.(`${session.name} has another log now; its rows are read again.`);
    this.#closeFile();
    const { seq } = await fillReadModel(session, this.#path, this.scope);
    return seq;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#last;
    this.#closeFile();
    await this.#closeSessions();
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

  /** One that reads, and one whose transactions others wait for; a server that only reads has the first for both. */
  async #open(): Promise<readonly [Session, Session]> {
    if (this.#sessions?.every((session) => session.isOpen())) return this.#sessions;
    await this.#closeSessions();
    const { address, isReader } = this.#place;
    const session = await openSession(address);
    try {
      await prepareDatabase(session, this.#place);
      this.#sessions = [session, isReader ? session : await openSession(address)];
    } catch (error) {
      await session.close();
      throw error;
    }
    return this.#sessions;
  }

  async #closeSessions(): Promise<void> {
    for (const session of new Set(this.#sessions)) await session.close();
    this.#sessions = null;
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
