// An OpenAPI document as the bytes of an answer. Making one takes milliseconds of processor time, so it is made once
// for each public address of this server, which is not known before it listens.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { entityTag, knowsTag } from '../../../content/paths/entity-tags.ts';
import { JSON_TYPE } from '../../../content/paths/headers.ts';
import { publicBase } from '../routes/admin-base.ts';
import type { ServerDeps } from '../server-deps.ts';

type MakeDocument = (options: { readonly serverUrl: string }) => unknown;

/** Answers a request with the document, or with 304 when the client has it. */
export const createOpenApiAnswer = (
  deps: Pick<ServerDeps, 'adminOrigin' | 'config'>,
  make: MakeDocument,
): ((reply: FastifyReply) => FastifyReply) => {
  let kept: { serverUrl: string; body: Buffer; etag: string } | null = null;
  const current = (): NonNullable<typeof kept> => {
    const serverUrl = publicBase(deps);
    if (kept?.serverUrl === serverUrl) return kept;
    const body = Buffer.from(JSON.stringify(make({ serverUrl })));
    const etag = entityTag(createHash('sha256').update(body).digest('base64url'));
    kept = { serverUrl, body, etag };
    return kept;
  };
  return (reply) => {
    const { body, etag } = current();
    reply.header('etag', etag);
    if (knowsTag(reply.request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(JSON_TYPE).send(body);
  };
};
