// Reads JSON bodies, but those of saves that are long: they stay bytes, for a thread to read.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LONG_BODY_BYTES } from '../../../base/limits.ts';
import { readJson } from './json-text.ts';

/** Many clients name a content type on every request, also on one that has no body. */
export const readJsonBodies = (app: FastifyInstance): void => {
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const isTaken = request.routeOptions.config.operation?.body?.bytesMax !== undefined;
      return isTaken && body.length > LONG_BODY_BYTES ? body : readJson(body);
    },
  );
};
