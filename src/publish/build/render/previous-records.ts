// What the manifest has of a task's records, on its way to a thread: all hashes in one piece.
import { type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import { HASH_BYTES } from './rendered-batch.ts';

export type PreviousRecord = Pick<RecordEntry, 'id' | 'segment' | 'hashes'>;

export type PackedPrevious = {
  readonly ids: readonly string[];
  readonly segments: readonly string[];
  /** Those of the first record's variants, then of the second's. */
  readonly hashes: Uint8Array<ArrayBuffer>;
};

/** One that has another number of variants is left out: it is written whatever it is like. */
export const packPrevious = (
  resource: Resource,
  records: Iterable<PreviousRecord>,
): PackedPrevious => {
  const variants = SHAPES[resource].recordVariants.length;
  const whole = [...records].filter(({ hashes }) => hashes.length === variants);
  const hashes = new Uint8Array(whole.length * variants * HASH_BYTES);
  for (const [at, hash] of whole.flatMap((record) => record.hashes).entries()) {
    hashes.set(hash, at * HASH_BYTES);
  }
  return {
    ids: whole.map(({ id }) => id),
    segments: whole.map(({ segment }) => segment),
    hashes,
  };
};

export const unpackPrevious = ({
  ids,
  segments,
  hashes,
}: PackedPrevious): Map<string, PreviousRecord> => {
  const size = ids.length === 0 ? 0 : hashes.length / ids.length;
  const records = ids.map((id, record): PreviousRecord => {
    const own = Array.from({ length: size / HASH_BYTES }, (_, at) =>
      Buffer.from(hashes.buffer, record * size + at * HASH_BYTES, HASH_BYTES),
    );
    return { id, segment: segments[record] ?? '', hashes: own };
  });
  return new Map(records.map((record) => [record.id, record]));
};
