// The hidden folder in which files are made whole before they get their names.
import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListFile } from './list-file.ts';
import { ListScript } from './list-job.ts';

/** Where links cannot be made, a copy serves. */
const NO_LINK = new Set(['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** Gives `target` the bytes of `source`, as a hard link where the file system has them. */
export const linkOrCopy = (source: string, target: string): void => {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(source, target);
  }
};

export class StagedFiles {
  readonly #folder: string;
  readonly #label: string;
  #count = 0;

  /** `label` keeps the names of several writers in one folder apart. */
  constructor(folder: string, label = '') {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#label = label;
  }

  write(bytes: Buffer): string {
    const path = this.next();
    writeFileSync(path, bytes, { flag: 'wx' });
    return path;
  }

  twin(path: string): string {
    const twin = this.next();
    linkOrCopy(path, twin);
    return twin;
  }

  openList(): ListFile {
    return new ListFile(this.next(), { way: 'direct' });
  }

  openScript(): ListScript {
    return new ListScript(this.next());
  }

  /** The path of a file that the caller makes. */
  next(): string {
    this.#count += 1;
    return join(this.#folder, `${this.#label}${this.#count}`);
  }
}
