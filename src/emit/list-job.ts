// A list as a script: pieces to be written one after another, each given as bytes or as a run of a list that
// stands. So the work can be done by another thread than the one that decides on it.
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
  pieces.reduce(
    (size, piece) => size + ('start' in piece ? piece.end - piece.start : piece.length),
    0,
  );

export const writeListJob = ({ temporary, pieces }: ListJob): WrittenFile => {
  const file = new ListFile(temporary);
  try {
    for (const piece of pieces) {
      if ('start' in piece) file.copy(piece);
      else file.append(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    }
    return file.finish();
  } finally {
    file.close();
  }
};
