// A publication whose file may be replaced by a rename while it is open. What is written to the old file would be lost, so
// whoever writes asks first; whoever is told to looks for the new file and opens it.
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { PrepressError } from '../../../base/errors.ts';
import { makePrivateFile } from '../../../base/files/private-files.ts';
import { findChangeTime, findIdentity } from '../../../base/sqlite/file-identity.ts';
import {
  openPublication,
  type PublicationConnections,
  type PublicationOptions,
} from './publication-connections.ts';

/** What `dataVersion` says of a file that cannot be read; SQLite counts from 1. */
const UNREADABLE = -2;

export class ReplaceablePublication {
  readonly path: string;
  readonly #options: PublicationOptions;
  #open: PublicationConnections | null;
  /** Why none is open. */
  #fault: unknown = null;

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

  /** See the port. */
  async reopenIfReplaced(): Promise<boolean> {
    if (!this.#isReplaced()) return false;
    await this.#keepIfLogGone();
    if (findIdentity(this.path) === null) throw missing(this.path);
    try {
      await this.#leaveOld();
      this.#open = await openPublication(this.path, { ...this.#options, create: false });
    } catch (error) {
      this.#fault = error;
      throw error;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#open?.close();
  }

  #isReplaced(): boolean {
    if (this.#open === null || findIdentity(this.path) !== this.#open.identity) return true;
    const { log } = this.#open;
    return log !== null && findIdentity(`${this.path}-wal`) !== log;
  }

  /**
   * A write-ahead log that somebody removed is still read here, and by nobody else: what is read becomes the file.
   * What others wrote since, on a state without that log, is set aside whole.
   */
  async #keepIfLogGone(): Promise<void> {
    if (this.#open === null || findIdentity(this.path) !== this.#open.identity) return;
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
    if (this.#open === null) return;
    const { close, log } = this.#open;
    this.#fault = replaced(this.path);
    this.#open = null;
    await close();
    removeOldLog(this.path, log);
  }
}

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
  new PrepressError('DATABASE_BUSY', `The database ${path} was replaced just now.`);
