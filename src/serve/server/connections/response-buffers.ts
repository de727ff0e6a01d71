// What all answers under way hold in memory together, in bytes. A body that several answers send is counted
// once, as it is there once; a stream counts for its buffers. The invariant: more than the bound is never held.
import type { ServerResponse } from 'node:http';
import { ProblemError } from '../problems/problem.ts';
import { BUSY } from '../problems/problems.ts';
import { CHUNK_BYTES } from './pace-streams.ts';

export type ResponseBuffers = {
  /** Counts a body until its answer ends; false: there is no room. An answer holds one body. */
  readonly hold: (response: ServerResponse, body: Buffer) => boolean;
  /** Counts the buffers of a stream, and what else it holds, until its answer ends; false: there is no room. */
  readonly holdStream: (response: ServerResponse, otherBytes: number) => boolean;
  /** Counts the body of the answer's request until the answer ends; false: there is no room. */
  readonly holdRequest: (response: ServerResponse, bytes: number) => boolean;
  /** Counts bytes while `make` runs. Throws a 503 ProblemError when there is no room for them. */
  readonly during: <T>(bytes: number, make: () => Promise<T>) => Promise<T>;
  /** Counts a body while it grows. */
  readonly reserve: () => Reserved;
  /** The answer has ended. */
  readonly leave: (response: ServerResponse) => void;
  /** How often there was no room since this was last asked. */
  readonly takeRefusals: () => number;
};

export type Reserved = {
  /** Throws a 503 ProblemError when there is no room for them. */
  readonly add: (bytes: number) => void;
  /** All that was added is given back. */
  readonly release: () => void;
};

/** A stream buffers a chunk in the file stream, two in the pacing stream and one in the socket. */
const STREAM_BYTES = 4 * CHUNK_BYTES;

export const createResponseBuffers = (bytesMax: number): ResponseBuffers => {
  const held = new Map<ServerResponse, object>();
  const uses = new Map<object, { readonly bytes: number; count: number }>();
  let total = 0;
  let refusals = 0;
  const add = (bytes: number): boolean => {
    const hasRoom = total + bytes <= bytesMax;
    if (hasRoom) total += bytes;
    else refusals += 1;
    return hasRoom;
  };
  const hold = (response: ServerResponse, what: object, bytes: number): boolean => {
    const use = uses.get(what);
    if (use === undefined && !add(bytes)) return false;
    if (use === undefined) uses.set(what, { bytes, count: 1 });
    else use.count += 1;
    held.set(response, what);
    return true;
  };
  return {
    hold: (response, body) => hold(response, body, body.length),
    holdStream: (response, otherBytes) => hold(response, response, STREAM_BYTES + otherBytes),
    holdRequest: (response, bytes) => hold(response, response, bytes),
    during: async (bytes, make) => {
      if (!add(bytes)) throw new ProblemError(BUSY);
      try {
        return await make();
      } finally {
        total -= bytes;
      }
    },
    reserve: () => {
      let reserved = 0;
      return {
        add: (bytes) => {
          if (!add(bytes)) throw new ProblemError(BUSY);
          reserved += bytes;
        },
        release: () => {
          total -= reserved;
          reserved = 0;
        },
      };
    },
    leave: (response) => {
      const what = held.get(response);
      const use = what && uses.get(what);
      if (what === undefined || use === undefined) return;
      held.delete(response);
      use.count -= 1;
      if (use.count > 0) return;
      uses.delete(what);
      total -= use.bytes;
    },
    takeRefusals: () => {
      const count = refusals;
      refusals = 0;
      return count;
    },
  };
};
