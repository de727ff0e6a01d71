// Long bodies as streams of pieces. Of one write nobody learns how far it has come, so a client that reads a long body
// slowly would look like one that reads nothing.
import { Readable } from 'node:stream';

const PIECE_BYTES = 256 * 1024;

export const isLong = (body: Buffer): boolean => body.length > PIECE_BYTES;

export const inPieces = (body: Buffer): Readable => {
  let at = 0;
  return new Readable({
    highWaterMark: 1,
    read() {
      const end = at + PIECE_BYTES;
      this.push(body.subarray(at, end));
      if (end >= body.length) this.push(null);
      at = end;
    },
  });
};
