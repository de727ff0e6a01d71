// Makes the bytes of a record's files from its text. One buffer serves all records: what is handed out is
// valid until the next variant is asked for. The part that the variants share is encoded, and hashed, once.
import { createHash } from 'node:crypto';
import type { Resource } from '../../../content/paths/endpoints.ts';
import type { RecordText } from '../../../publication/documents/renderer.ts';

export type EncodedVariant = {
  /** Index among the record variants. */
  readonly variant: number;
  /** The whole document. */
  readonly file: Buffer;
  /** The record inside it. */
  readonly record: Buffer;
  /** Where `html`, with the comma before it, stands in the record; nowhere in what has none. */
  readonly body: BodyRange;
  /** SHA-256 of the document. */
  readonly hash: Buffer;
};

export type BodyRange = readonly [from: number, to: number];

/** What stands before the record in its file. */
export const openingOf = (resource: Resource): Buffer => Buffer.from(`{"${resource}":[`);

/** Closes a record's file: single reads carry no meta. */
const RECORD_CLOSING = Buffer.from(']}');

/** What stands before the value of `html`. */
const BODY_KEY = ',"html":';

const INITIAL_BYTES = 64 * 1024;
/** Bytes that a UTF-16 unit takes in UTF-8 at most. */
const UNIT_BYTES_MAX = 3;

export class RecordEncoder {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);

  /** `opening` is the beginning of the document, before the record. */
  encode(opening: Buffer, { open, ends }: RecordText, take: (one: EncodedVariant) => void): void {
    const longest = ends.reduce((length, end) => Math.max(length, end.length), 0);
    const { head, body, tail } = open;
    const units = head.length + tail.length + longest;
    const bytes = this.#reserve(
      opening.length + body.length + units * UNIT_BYTES_MAX + RECORD_CLOSING.length,
    );
    const start = opening.copy(bytes);
    let shared = start + bytes.write(head, start);
    const bodyFrom = shared - start - (body === '' ? 0 : BODY_KEY.length);
    shared += bytes.write(body, shared, 'latin1');
    const range = [bodyFrom, shared - start] as const;
    shared += bytes.write(tail, shared);
    const sharedHash = createHash('sha256').update(bytes.subarray(0, shared));
    for (const [variant, end] of ends.entries()) {
      const fragmentEnd = shared + bytes.write(end, shared);
      const size = fragmentEnd + RECORD_CLOSING.copy(bytes, fragmentEnd);
      take({
        variant,
        file: bytes.subarray(0, size),
        record: bytes.subarray(start, fragmentEnd),
        body: range,
        hash: sharedHash.copy().update(bytes.subarray(shared, size)).digest(),
      });
    }
  }

  #reserve(size: number): Buffer {
    if (size > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(size * 2);
    return this.#bytes;
  }
}
