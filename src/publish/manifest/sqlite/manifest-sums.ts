// Sums of the manifest's rows: a disk may change a bit of a row, and SQLite hands out what it reads.
import { crc32 } from 'node:zlib';

export type StateRow = {
  readonly root: string;
  readonly fingerprint: string;
  readonly epoch: string;
  readonly seq: number;
  readonly nonce: string;
  readonly generation: number;
};

export const sumOfState = (row: StateRow): number =>
  sumOf([row.root, row.fingerprint, row.epoch, row.seq, row.nonce, row.generation]);

export type RecordRow = {
  readonly resource: string;
  readonly id: string;
  readonly slug: string;
  readonly segment: string;
  readonly fold: string;
  readonly ms: number;
  readonly title: string;
  readonly pack: Buffer;
  readonly sizes: string;
  readonly hashes: Buffer;
};

export const sumOfRecord = (row: RecordRow): number => {
  const { resource, id, slug, segment, fold, ms, title, sizes } = row;
  const text = sumOf([resource, id, slug, segment, fold, ms, title, sizes]);
  return [row.pack, row.hashes].reduce((sum, bytes) => crc32(bytesOf(bytes), sum), text);
};

const sumOf = (values: readonly (string | number)[]): number => crc32(values.join('\0'));

/** A changed bit may also make another type of a value. */
const bytesOf = (value: unknown): Buffer | string =>
  Buffer.isBuffer(value) ? value : String(value);
