// A list as a script: pieces to be written one after another, each given as bytes or as a run of a list that
// stands. So the work can be done by another thread than the one that decides on it.
import { BLOCK_BYTES } from './direct-file.ts';
import { type ByteRange, ListFile, type WrittenFile } from './list-file.ts';

export type ListPiece = Uint8Array | ByteRange;

export type ListJob = { readonly temporary: string; readonly pieces: readonly ListPiece[] };

/** Takes what a list takes, and keeps it. */
export class ListScript {
  readonly #temporary: string;
  readonly #pieces: ListPiece[] = [];

  constructor(temporary: string) {
    this.#temporary = temporary;
  }

  append(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  copy(range: ByteRange): void {
    this.#pieces.push(range);
  }

  finish(): ListJob {
    return { temporary: this.#temporary, pieces: this.#pieces };
  }

  /** Nothing is open before the script is written. */
  close(): void {}
}

export const sizeOf = ({ pieces }: ListJob): number =>
  pieces.reduce((size, piece) => size + lengthOf(piece), 0);

const lengthOf = (piece: ListPiece): number =>
  'start' in piece ? piece.end - piece.start : piece.length;

/** In this thread, which does nothing else meanwhile. */
export const writeListJob = ({ temporary, pieces }: ListJob): WrittenFile => {
  const file = new ListFile(temporary);
  try {
    for (const piece of pieces) put(file, piece);
    return file.finish();
  } finally {
    file.close();
  }
};

/** Past the system's cache: while the disk takes one block, the next is read and hashed. */
export const writeListJobAside = async ({ temporary, pieces }: ListJob): Promise<WrittenFile> => {
  const file = new ListFile(temporary, { way: 'aside' });
  try {
    for (const part of partsOf(pieces)) {
      put(file, part);
      await file.settle();
    }
    await file.settle(0);
    return file.finish();
  } finally {
    await file.settle(0).finally(() => file.close());
  }
};

const put = (file: ListFile, piece: ListPiece): void => {
  if ('start' in piece) file.copy(piece);
  else file.append(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
};

/** The pieces in parts of a block at most. */
function* partsOf(pieces: readonly ListPiece[]): Generator<ListPiece> {
  for (const piece of pieces) {
    const size = lengthOf(piece);
    for (let at = 0; at < size; at += BLOCK_BYTES) {
      const end = Math.min(size, at + BLOCK_BYTES);
      if ('start' in piece) yield { ...piece, start: piece.start + at, end: piece.start + end };
      else yield piece.subarray(at, end);
    }
  }
}
