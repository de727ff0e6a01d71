// A publication whose file may be replaced by a rename while it is open. What is written to the old file would be lost, so
// whoever writes asks first; whoever is told to looks for the new file and opens it.
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { PrepressError } from '../../../base/errors.ts';
import { makePrivateFile } from '../../../base/files/private-files.ts';
import { BUSY_TIMEOUT_MS, loadDriver, type SqliteConnection } from '../../../base/sqlite/driver.ts';
import { findChangeTime, findIdentity } from '../../../base/sqlite/file-identity.ts';
import {
  openPublication,
  type PublicationConnections,
  type PublicationOptions,
} from './publication-connections.ts';

/** What `dataVersion` says of a file that cannot be read; SQLite counts from 1. */
const UNREADABLE = -2;

type Reopening = {
  readonly done: Promise<boolean>;
  /** Of the file, where nothing but the index of its log is gone. */
  readonly identity: string | null;
};

export class ReplaceablePublication {
  readonly path: string;
  readonly #options: PublicationOptions;
  #open: PublicationConnections | null;
  /** Why none is open. */
  #fault: unknown = null;
  #reopening: Reopening | null = null;

  constructor(path: string, options: PublicationOptions, open: PublicationConnections) {
    this.path = path;
    this.#options = options;
    this.#open = open;
  }

  /** Throws why none is open. */
  get current(): PublicationConnections {
    if (this.#open === null) throw this.#fault;
    return this.#open;
  }

  throwIfReplaced(): void {
    if (this.#open !== null && this.#isReplaced()) throw replaced(this.path);
  }

  /** Below zero when the file that stands at the path is not the one that is open. */
  dataVersion(): number {
    try {
      return this.#open === null || this.#isReplaced()
        ? // A file that is still being copied has another time with every piece.
          UNREADABLE - findChangeTime(this.path)
        : this.#open.dataVersion();
    } catch {
      return UNREADABLE;
    }
  }

  /** See the port. Whoever asks while the file is being opened waits for that. */
  reopenIfReplaced(): Promise<boolean> {
    return this.#beginReopening().done;
  }

  /** For what is about to be written: of a file that is still the one that was read, it need not be asked again. */
  async reopenIfIndexGone(): Promise<void> {
    if (this.#reopening === null && !this.#isIndexAlone()) return;
    const { done, identity } = this.#beginReopening();
    if (identity === null) return;
    await done;
    if (this.current.identity !== identity) throw replaced(this.path);
  }

  #beginReopening(): Reopening {
    if (this.#reopening !== null) return this.#reopening;
    const identity = this.#isIndexAlone() ? this.current.identity : null;
    const done = this.#reopen().finally(() => {
      this.#reopening = null;
    });
    // Not everybody waits for it; why none is open is said by whoever reads or writes.
    done.catch(() => undefined);
    this.#reopening = { identity, done };
    return this.#reopening;
  }

  async #reopen(): Promise<boolean> {
    if (!this.#isReplaced()) return false;
    await this.#keepIfLogGone();
    if (findIdentity(this.path) === null) throw missing(this.path);
    const isIndexAlone = this.#isSameFile();
    try {
      await this.#leaveOld();
      this.#open = await openPublication(this.path, { ...this.#options, create: false });
    } catch (error) {
      this.#fault = error;
      throw error;
    }
    if (isIndexAlone) {
      this.#options.onWarning?.(
        `The file ${this.path}-shm was removed while it was open: the database was opened anew.`,
      );
    }
    return true;
  }

  async close(): Promise<void> {
    if (this.#open === null) return;
    const { close, log } = this.#open;
    const isSameFile = this.#isSameFile();
    const holder = isSameFile && this.#isIndexGone() ? holdLog(this.path) : null;
    await close();
    holder?.close();
    if (!isSameFile) removeOldLog(this.path, log);
  }

  #isReplaced(): boolean {
    return !this.#isSameFile() || this.#isLogGone() || this.#isIndexGone();
  }

  #isIndexAlone(): boolean {
    return this.#isSameFile() && !this.#isLogGone() && this.#isIndexGone();
  }

  #isSameFile(): boolean {
    return this.#open !== null && findIdentity(this.path) === this.#open.identity;
  }

  #isLogGone(): boolean {
    const log = this.#open?.log ?? null;
    return log !== null && findIdentity(`${this.path}-wal`) !== log;
  }

  /**
   * Other programs then make another index, and each overwrites what it does not find in its own. A disk on which programs
   * cannot share memory has neither a log nor an index.
   */
  #isIndexGone(): boolean {
    if (this.#open === null || this.#open.log === null) return false;
    const { index } = this.#open;
    return index === null || findIdentity(`${this.path}-shm`) !== index;
  }

  /**
   * A write-ahead log that somebody removed is still read here, and by nobody else: what is read becomes the file.
   * What others wrote since, on a state without that log, is set aside whole.
   */
  async #keepIfLogGone(): Promise<void> {
    if (this.#open === null || !this.#isSameFile() || !this.#isLogGone()) return;
    const copy = `${this.path}.new`;
    rmSync(copy, { force: true });
    makePrivateFile(copy);
    await this.#open.backup(copy);
    const aside = setAside(this.path);
    renameSync(copy, this.path);
    this.#options.onWarning?.(
      `The write-ahead log of ${this.path} was removed while it was open. What is read here was written to a new file.${aside}`,
    );
  }

  async #leaveOld(): Promise<void> {
    const closed = this.close();
    this.#fault = replaced(this.path);
    this.#open = null;
    await closed;
  }
}

/**
 * Keeps those that close after this from putting the log into the file and removing it, by an index that others no longer
 * write: the last to close only reads.
 */
const holdLog = (path: string): SqliteConnection => {
  const holder = new (loadDriver())(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    holder.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch {
    // What is read by such an index may be damaged; the lock is held all the same.
  }
  return holder;
};

/** Returns a sentence that names what was set aside; "" when no other program wrote anything. */
const setAside = (path: string): string => {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  rmSync(`${path}-shm`, { force: true });
  if (log === undefined || log.size === 0) {
    rmSync(`${path}-wal`, { force: true });
    return '';
  }
  const aside = `${path}.set-aside-${log.mtime.toISOString().replaceAll(':', '-')}`;
  linkSync(path, aside);
  renameSync(`${path}-wal`, `${aside}-wal`);
  return ` Another program wrote to the file after that: its state is set aside in ${aside}.`;
};

/** SQLite leaves the log of a file that was moved, and would lay it over the new one. */
const removeOldLog = (path: string, log: string | null): void => {
  if (log === null || findIdentity(`${path}-wal`) !== log) return;
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

const missing = (path: string): PrepressError =>
  new PrepressError('DATABASE_MISSING', `The database ${path} is gone.`);

const replaced = (path: string): PrepressError =>
  new PrepressError('DATABASE_BUSY', `The database ${path} was replaced just now.`, {
    context:
      'A file of the database was replaced or removed just now. Nothing was saved; the server opens it anew.',
  });
