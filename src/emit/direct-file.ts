// Writes whole blocks past the system's cache, where the file system lets it. A list of all posts is large and
// is read again only hours later: its way through the cache would cost a copy, memory that the records' files
// need, and a wait for the disk at the end of the build.
import { closeSync, constants, openSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** A multiple of what disks and file systems ask for; larger blocks are no faster, smaller ones are slower. */
export const BLOCK_BYTES = 1024 * 1024;

/** Blocks of that many lists are kept to be filled again. */
const SPARE_MAX = 16;

const spare: Buffer[] = [];

/** A buffer for one block. Direct writes take only memory that begins with a page, as resizable buffers do. */
export const takeBlock = (): Buffer =>
  spare.pop() ?? Buffer.from(new ArrayBuffer(BLOCK_BYTES, { maxByteLength: BLOCK_BYTES }));

/** Gives a block back when nothing of it is needed any more. */
export const releaseBlock = (block: Buffer): void => {
  if (spare.length < SPARE_MAX) spare.push(block);
};

const written = promisify(write);

export class DirectFile {
  readonly #descriptor: number | null;
  #isRefused = false;
  #isOpen = true;

  /** `path` is a file that stands; `flag` asks for direct writes, null where the system has none. */
  constructor(path: string, flag: number | null = constants.O_DIRECT ?? null) {
    this.#descriptor = flag === null ? null : tryOpen(path, constants.O_WRONLY | flag);
  }

  /** The bytes of the block that were written; the caller writes the others in the common way. */
  write(block: Buffer, position: number): number {
    if (this.#descriptor === null || this.#isRefused) return 0;
    try {
      return writeSync(this.#descriptor, block, 0, block.length, position);
    } catch {
      return this.#refuse();
    }
  }

  /** The same, while the thread goes on: the block stays as it is, and the file open, until it is done. */
  async writeAside(block: Buffer, position: number): Promise<number> {
    if (this.#descriptor === null || this.#isRefused) return 0;
    try {
      return (await written(this.#descriptor, block, 0, block.length, position)).bytesWritten;
    } catch {
      return this.#refuse();
    }
  }

  close(): void {
    if (this.#descriptor !== null && this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  /** An error that is more than a refusal is met by the common way, and told. */
  #refuse(): number {
    this.#isRefused = true;
    return 0;
  }
}

const tryOpen = (path: string, flags: number): number | null => {
  try {
    return openSync(path, flags);
  } catch {
    return null;
  }
};
