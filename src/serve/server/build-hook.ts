// The build hook: any system that can send a bare POST asks for a build with it, and for a look at the source that is
// followed. The token stands in the path; what the body says is not looked at, but where Ghost is to have signed it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HOOK_BODY_BYTES_MAX } from '../../base/limits.ts';
import { findKeyByHash } from '../../publication/store/access/keys.ts';
import { hashSecret } from '../admin/keys/keys.ts';
import { refusal } from './routes/admin-scope.ts';
import type { FailureLimit } from './routes/failure-limit.ts';
import { pathValue } from './routes/request-values.ts';
import type { ServerDeps } from './server-deps.ts';

/** Registers the hook in a scope of its own: its content types are not the admin interface's. */
export const buildHook = (app: FastifyInstance, deps: ServerDeps, failures: FailureLimit): void => {
  const { config, context, publisher } = deps;
  const { followSecret } = config;
  app.removeAllContentTypeParsers();
  if (followSecret === undefined) {
    app.addContentTypeParser('*', (_request, body, done) => {
      body.resume();
      done(null);
    });
  } else {
    const read = { parseAs: 'buffer', bodyLimit: HOOK_BODY_BYTES_MAX } as const;
    app.addContentTypeParser('*', read, (_request, body, done) => done(null, body));
  }
  const names = new WeakMap<FastifyRequest, string>();
  // Before a body is read.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const sha256 = hashSecret(pathValue(request, 'token'));
    const key = await findKeyByHash(context.store, sha256);
    if (key?.type !== 'hook') throw refusal(failures.fail(request.ip), WRONG_CALL);
    app.keySeen(key.id);
    names.set(request, key.name);
  };
  app.post(`${config.basePath}/hooks/build/:token`, { onRequest }, async (request, reply) => {
    if (followSecret !== undefined && !isSigned(request, followSecret)) {
      throw refusal(failures.fail(request.ip), WRONG_CALL);
    }
    const build = await publisher.requestBuild(`hook ${names.get(request)}`);
    reply.code(202).header('cache-control', 'no-store');
    return { build: { id: build.id } };
  });
};

/** One text: a strange caller learns nothing of the token. */
const WRONG_CALL =
  'The token in the address is wrong, or the signature that followSecret asks for. "prepress status --secrets" prints the address.';

const isSigned = ({ headers, body }: FastifyRequest, secret: string): boolean => {
  const header = headers['x-ghost-signature'];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return typeof header === 'string' && isGhostSignature(header, secret, bytes);
};

const HEADER = /^sha256=([0-9a-f]{64}), ?t=(\d{1,16})$/;

/**
 * As Ghost signs a webhook (facts 8.5): over the body and the time. That is not compared with the clock: who sends a call
 * once more has a look made once more.
 */
const isGhostSignature = (header: string, secret: string, body: Buffer): boolean => {
  const [, given = '', time = ''] = HEADER.exec(header) ?? [];
  if (given === '') return false;
  const right = createHmac('sha256', secret).update(body).update(time).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), right);
};
