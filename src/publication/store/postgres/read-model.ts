// The read model of this machine, moved on while a program runs: PostgreSQL is asked five times a second, and at once when it
// says that a save was committed. What was read last stays while PostgreSQL is away; a position that its log does not hold
// any more has the file filled again.
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../../base/errors.ts';
import { openConnection } from '../../../base/sqlite/connection.ts';
import type { SqliteConnection } from '../../../base/sqlite/driver.ts';
import { findIdentity } from '../../../base/sqlite/file-identity.ts';
import { type FileLock, takeLock, waitForLock } from '../../../base/sqlite/lock-file.ts';
import { Pause } from '../../../base/threads/pause.ts';
import type { PostgresPlace } from '../../../settings/database-address.ts';
import { createEnding, type Ending } from './ending.ts';
import { fillReadModel } from './fill.ts';
import { prepareDatabase } from './prepare-database.ts';
import { isOfAnother, isReadModel, readPosition, type Scope, scopeOf } from './read-model-file.ts';
import { isOutage, openSession, type Session } from './session.ts';
import { tail } from './tail.ts';

const POLL_MS = 200;
const RETRY_MAX_MS = 5_000;
/** Whoever wants the newest commit waits no longer for it. */
const CURRENT_MS_MAX = 1_000;
/** Somebody who only looks at the file has it for less than this. */
const LOOK_MS_MAX = 1_000;

/** The channel on which a save says that it was committed: a hint, which other programs' commits lack. */
export const COMMITTED = 'prepress';

type Options = {
  readonly onWarning?: ((sentence: string) => void) | undefined;
  readonly ending?: Ending;
  readonly pollMs?: number;
  readonly mustExist?: boolean;
};

export type ReadModel = {
  readonly scope: Scope;
  /** Runs `work` while nothing else moves the file or asks PostgreSQL here. */
  readonly alone: <T>(work: (session: Session, writer: Session) => Promise<T>) => Promise<T>;
  /** Within `alone`: brings the file to the newest commit, and answers its number. */
  readonly catchUp: (session: Session) => Promise<number>;
  /** Resolves when the file shows what was committed before; soon, too, while PostgreSQL does not answer. */
  readonly becomeCurrent: () => Promise<void>;
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
    await begin(mover, options);
  } catch (error) {
    await mover.close();
    throw error;
  }
  mover.start();
  return mover;
};

const begin = async (mover: Mover, { onWarning }: Options): Promise<void> => {
  try {
    await mover.alone((session) => mover.catchUp(session));
  } catch (error) {
    if (!canShow(error) || !mover.holdFile()) throw error;
    onWarning?.(`${(error as Error).message} What was read last is shown.`);
  }
};

/** What was read before is shown on, unless the setting `database` is wrong. */
const canShow = (error: unknown): boolean =>
  isOutage(error) || (error instanceof PrepressError && error.code === 'DATABASE_TOO_NEW');

class Mover implements ReadModel {
  readonly scope: Scope;
  readonly #path: string;
  readonly #place: PostgresPlace;
  readonly #options: Options;
  readonly #ending: Ending;
  readonly #pollMs: number;
  readonly #pause = new Pause();
  #sessions: readonly [Session, Session] | null = null;
  #file: { readonly connection: SqliteConnection; readonly identity: string | null } | null = null;
  readonly #fillLock: string;
  readonly #useLock: string;
  /** Held while this program reads the file: nobody fills it in another form meanwhile. */
  #use: FileLock | null = null;
  #last: Promise<unknown> = Promise.resolve();
  /** A move that has not begun: whoever asks meanwhile shares it. */
  #next: Promise<number> | null = null;
  #seen = 0;
  #waitMs: number;
  #isHinted = false;
  #heard: Session | null = null;
  #isDeaf = false;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(path: string, place: PostgresPlace, options: Options) {
    this.scope = scopeOf(place.isReader);
    this.#path = path;
    this.#place = place;
    this.#fillLock = join(dirname(path), 'replica.lock.db');
    this.#useLock = join(dirname(path), 'replica-use.lock.db');
    this.#options = options;
    this.#ending = options.ending ?? createEnding();
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.#waitMs = this.#pollMs;
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

  async becomeCurrent(): Promise<void> {
    if (this.#isAway()) return;
    const late = sleep(CURRENT_MS_MAX, undefined, { ref: false });
    await Promise.race([this.#moveNext(), late]).catch(() => undefined);
  }

  /** False where there is none to show; else nobody fills it in another form from now on. */
  holdFile(): boolean {
    return this.#findFile() !== null;
  }

  #isAway(): boolean {
    return this.#waitMs > this.#pollMs;
  }

  #moveNext(): Promise<number> {
    if (this.#next === null) {
      void this.#last.then(() => {
        this.#next = null;
      });
      this.#next = this.alone(async (session) => {
        if (session !== this.#heard) await this.#listen(session);
        return this.catchUp(session);
      });
    }
    return this.#next;
  }

  /** Several programs of a machine may find it lost at once: one fills it, and the others take up what it made. */
  async #move(session: Session): Promise<number> {
    const moved = await this.#moveOn(session);
    if (moved !== null) return moved;
    const given = { timeoutMs: Number.POSITIVE_INFINITY, signal: this.#ending.begun };
    const lock = await waitForLock(this.#fillLock, 'alone', given);
    try {
      return (await this.#moveOn(session)) ?? (await this.#fill(session));
    } finally {
      lock?.release();
    }
  }

  /** Null where no file can be moved on. */
  async #moveOn(session: Session): Promise<number | null> {
    const connection = this.#findFile();
    if (connection === null || (await tail(session, connection, this.scope)) === 'lost')
      return null;
    return readPosition(connection).seq;
  }

  async #fill(session: Session): Promise<number> {
    if (this.#file !== null)
      this.#warn(`${session.name} has a new change log, so its rows are read again.`);
    this.#closeFile();
    const alone = isOfAnother(this.#path, this.scope) ? await this.#takeAlone() : null;
    try {
      return (await fillReadModel(session, this.#path, this.scope)).seq;
    } finally {
      alone?.release();
      this.#findFile();
    }
  }

  /** Programs that read other tables, or are of another version, would fill it by turns. */
  async #takeAlone(): Promise<FileLock> {
    const given = { timeoutMs: LOOK_MS_MAX, signal: this.#ending.begun };
    const lock = await waitForLock(this.#useLock, 'alone', given);
    if (lock !== null) return lock;
    const sentence = `${this.#path} is read by a program of another version, or with another setting lead.`;
    throw new PrepressError('DATABASE_BUSY', sentence);
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ending.begin();
    this.#pause.interrupt();
    await this.#running;
    await this.#last;
    this.#closeFile();
    this.#leaveFile();
    await this.#closeSessions();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      if (!this.#isHinted) await this.#pause.wait(this.#waitMs);
      if (this.#isClosed) return;
      this.#isHinted = false;
      try {
        await this.#moveNext();
        this.#waitMs = this.#pollMs;
      } catch (error) {
        if (!this.#isAway() && !this.#isClosed)
          this.#warn(`${messageOf(error)} What was read last is shown.`);
        this.#waitMs = Math.min(this.#waitMs * 2, RETRY_MAX_MS);
      }
    }
  }

  async #listen(session: Session): Promise<void> {
    const isHeard = await session.listen(COMMITTED, () => {
      this.#isHinted = true;
      this.#pause.interrupt();
    });
    if (!isHeard && !this.#isDeaf)
      this.#warn(
        `${session.name} is behind a pooler, so Prepress asks for commits five times a second.`,
      );
    this.#isDeaf = !isHeard;
    this.#heard = session;
  }

  #warn(sentence: string): void {
    this.#options.onWarning?.(sentence);
  }

  /** One that reads, and one whose transactions others wait for; a server that only reads has the first for both. */
  async #open(): Promise<readonly [Session, Session]> {
    if (this.#sessions?.every((session) => session.isOpen())) return this.#sessions;
    await this.#closeSessions();
    const { address, isReader } = this.#place;
    const session = await openSession(address, this.#ending);
    try {
      await prepareDatabase(session, { ...this.#place, mustExist: this.#options.mustExist });
      this.#sessions = [session, isReader ? session : await openSession(address, this.#ending)];
    } catch (error) {
      await session.close();
      throw error;
    }
    return this.#sessions;
  }

  async #closeSessions(): Promise<void> {
    await Promise.all([...new Set(this.#sessions)].map((session) => session.close()));
    this.#sessions = null;
  }

  /** Null where none can be moved on; another program of this machine may have filled it anew. */
  #findFile(): SqliteConnection | null {
    const identity = findIdentity(this.#path);
    if (this.#file !== null && this.#file.identity === identity) return this.#file.connection;
    this.#closeFile();
    // Before it is looked at: what is read here stays as it is.
    this.#use ??= takeLock(this.#useLock, 'shared');
    if (this.#use === null) return null;
    if (!isReadModel(this.#path, this.scope)) {
      this.#leaveFile();
      return null;
    }
    const connection = openConnection(this.#path, { mustExist: true, synchronous: 'NORMAL' });
    connection.pragma('foreign_keys = OFF');
    this.#file = { connection, identity };
    return connection;
  }

  #leaveFile(): void {
    this.#use?.release();
    this.#use = null;
  }

  #closeFile(): void {
    this.#file?.connection.close();
    this.#file = null;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
