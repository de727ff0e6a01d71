// The port to the blobs of a tree: what is put gets the name of its bytes, and what is read has the bytes of its name.
import { createHash } from 'node:crypto';
import type { BlobName } from '../../content/tree/tree.ts';

export type BlobEnding = '.txt' | '.bin';

export type Blobs = {
  /** Stores bytes, if no blob of their name is stored yet. */
  readonly put: (bytes: Buffer, ending: BlobEnding) => BlobName;
  /** Says that what had the blob has it no more, until it is put again. */
  readonly drop: (name: BlobName) => void;
  /** Throws OUTPUT_DIFFERS when it is gone, or has other bytes. */
  readonly read: (name: BlobName) => Buffer;
};

/** Bytes of a hash that are in a name: who writes posts could search for two that share fewer. */
const NAME_BYTES = 16;

export const blobName = (sha256: Buffer, ending: BlobEnding): BlobName =>
  `${sha256.toString('hex', 0, NAME_BYTES)}${ending}`;

export const sha256Of = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** True when the bytes are those that the name stands for. */
export const isNamed = (name: BlobName, bytes: Uint8Array): boolean =>
  name.startsWith(sha256Of(bytes).toString('hex', 0, NAME_BYTES));
