// Paces every answer that is a stream: the system takes megabytes for each client at once, also for those that
// read nothing. Long bodies become streams that need no pace, as they are in memory already.
import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Pace } from './pace.ts';
import { inPieces, isLong } from './pieces.ts';

/** What a stream reads of its file at once. */
export const CHUNK_BYTES = 32 * 1024;
/** Options of such a stream. */
export const CHUNKED = { highWaterMark: CHUNK_BYTES } as const;

export const paceStreams = (app: FastifyInstance, pace: Pace<() => void>): void => {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable) return done(null, paced(payload, pace));
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(body) || !isLong(body)) return done(null, payload);
    reply.header('content-length', body.length);
    done(null, inPieces(body));
  });
};

const paced = (source: Readable, pace: Pace<() => void>): Readable => {
  const slow = new Transform({
    // One chunk is kept here beside the one that the source has read.
    highWaterMark: 1,
    transform: (chunk: Buffer, _encoding, done) => pace.take(() => done(null, chunk)),
  });
  // Errors, and the end of either, are passed on to the other.
  return pipeline(source, slow, () => undefined);
};
