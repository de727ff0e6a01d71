// What the manifest keeps of a record's part in the packed tree: whether all of its body is shown, and a hash of all else.
// A record whose pack is the same changes nothing of the tree.
import { createHash } from 'node:crypto';
import { PACK_BYTES } from './rendered-batch.ts';

type Packed = {
  /** SHA-256 of the document without related data. */
  readonly hash: Buffer;
  readonly facts: Buffer;
  readonly plain: Buffer;
  readonly isGated: boolean;
};

export const packOf = ({ hash, facts, plain, isGated }: Packed): Buffer => {
  const digest = createHash('sha256').update(hash).update(facts).update(plain).digest();
  const pack = digest.subarray(0, PACK_BYTES);
  pack[0] = Number(isGated);
  return pack;
};

/** True when strangers do not read all of the body. */
export const isGated = (pack: Buffer): boolean => pack[0] === 1;
