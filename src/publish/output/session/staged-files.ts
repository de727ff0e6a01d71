// The hidden folder in which files are made whole before they get their names.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLink } from '../../../base/files/hard-links.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { makeOwnedFolder } from '../../../base/files/owner.ts';

/** Gives `target` the bytes of `source`, as a hard link where the file system has them; true then. */
export const linkOrCopy = (source: string, target: string): boolean => {
  if (tryLink(source, target)) return true;
  copyFileSync(source, target);
  return false;
};

/** In a folder of many more, files are slower to make and to rename. */
const FILES_PER_FOLDER = 500;

export class StagedFiles {
  readonly #parent: string;
  readonly #label: string;
  #folder: string;
  #count = 0;

  /** `label` keeps the names of several writers in one folder apart. */
  constructor(folder: string, label = '') {
    makeFolder(folder);
    this.#parent = folder;
    this.#folder = folder;
    this.#label = label;
  }

  write(bytes: Buffer): string {
    const path = this.next();
    writeFileSync(path, bytes, { flag: 'wx' });
    return path;
  }

  /** A further file of the same bytes. */
  alias(path: string): string {
    const temporary = this.next();
    linkOrCopy(path, temporary);
    return temporary;
  }

  #startFolder(): void {
    this.#folder = join(this.#parent, `in-${this.#label}${this.#count}`);
    makeOwnedFolder(this.#folder);
  }

  /** The path of a file that the caller makes. */
  next(): string {
    this.#count += 1;
    if (this.#count % FILES_PER_FOLDER === 0) this.#startFolder();
    return `${this.#folder}/${this.#label}${this.#count}`;
  }
}
