// What the manifest keeps of a record's part in the packed tree: whether all of its body is shown, else a hash of what
// strangers read of it, and a hash of all else. A record whose pack is the same changes nothing of the tree.
import { createHash } from 'node:crypto';
import { PACK_BYTES } from './rendered-batch.ts';

type Packed = {
  /** SHA-256 of the document without related data. */
  readonly hash: Buffer;
  readonly facts: Buffer;
  readonly plain: Buffer;
  /** The body as strangers read it. */
  readonly shown: Buffer;
  readonly isGated: boolean;
};

const BODY_END = 9;

export const packOf = ({ hash, facts, plain, shown, isGated }: Packed): Buffer => {
  const pack = Buffer.alloc(PACK_BYTES);
  if (isGated) digest(shown, plain).copy(pack, 0, 0, BODY_END);
  pack[0] = Number(isGated);
  digest(hash, facts, plain).copy(pack, BODY_END);
  return pack;
};

const digest = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** True when strangers do not read all of the body. */
export const isGated = (pack: Buffer): boolean => pack[0] === 1;

/** True when strangers may have read more of the body before. */
export const isShownLess = (pack: Buffer, before: Buffer): boolean =>
  isGated(pack) && !pack.subarray(0, BODY_END).equals(before.subarray(0, BODY_END));
