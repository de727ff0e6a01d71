// The build hook: any system that can send a bare POST asks for a build with it. The token stands in the
// path; what the body says is not looked at.
import type { FastifyInstance } from 'fastify';
import { hashSecret } from '../admin/keys.ts';
import { findKeyByHash } from '../store/keys.ts';
import { refusal } from './admin/admin-scope.ts';
import type { FailureLimit } from './admin/failure-limit.ts';
import { pathValue } from './admin/request-values.ts';
import type { ServerDeps } from './ports.ts';

/** Registers the hook in a scope of its own: its content types are not the admin interface's. */
export const buildHook = (app: FastifyInstance, deps: ServerDeps, failures: FailureLimit): void => {
  const { config, context, publisher } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    done(null);
  });
  app.post(`${config.basePath}/hooks/build/:token`, async (request, reply) => {
    const sha256 = hashSecret(pathValue(request, 'token'));
    const key = await findKeyByHash(context.store.reader, sha256);
    if (key?.type !== 'hook') throw refusal(failures.fail(request.ip));
    app.keySeen(key.id);
    const build = await publisher.requestBuild(`hook ${key.name}`);
    reply.code(202).header('cache-control', 'no-store');
    return { build: { id: build.id } };
  });
};
