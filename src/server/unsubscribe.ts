// The page behind a member's unsubscribe_url, outside of the admin interface: the address is the
// credential. Looking changes nothing; the page's button and the one-click POST of mail programs (RFC 8058)
// unsubscribe.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UseCaseContext } from '../admin/context.ts';
import { checkUnsubscribe, unsubscribe } from '../admin/unsubscribe.ts';
import { isFollowing } from '../store/following.ts';
import { queryValue } from './admin/request-values.ts';
import { sendNotice } from './notice-page.ts';
import type { ServerDeps } from './ports.ts';

export const unsubscribeRoutes = (app: FastifyInstance, deps: ServerDeps): void => {
  const { context } = deps;
  app.removeAllContentTypeParsers();
  // What the form or the mail program says in the body is not needed: the address says it all.
  app.addContentTypeParser('*', { bodyLimit: BODY_BYTES_MAX }, (_request, body, done) => {
    body.resume();
    done(null);
  });
  const path = `${deps.config.basePath}/unsubscribe/`;
  app.get(path, async (request, reply) => {
    if (!isRight(context, request)) return refuse(reply);
    return sendNotice(reply, {
      title: 'Unsubscribe',
      text: 'You will get no more newsletters of this site.',
      button: 'Unsubscribe',
    });
  });
  app.post(path, async (request, reply) => {
    if (!isRight(context, request)) return refuse(reply);
    if (await isFollowing(context.store.reader)) return sendElsewhere(reply);
    await unsubscribe(context, credentialsOf(request));
    deps.publisher.wake();
    return sendNotice(reply, {
      title: 'Unsubscribed',
      text: 'You will get no more newsletters of this site.',
    });
  });
};

/** The site that is followed sends the newsletters, and alone knows who wants them. */
const sendElsewhere = (reply: FastifyReply): FastifyReply =>
  sendNotice(reply.code(409), {
    title: 'Please use another link',
    text: 'Nothing was changed: unsubscribe with the link at the end of a newsletter.',
  });

const BODY_BYTES_MAX = 16_384;

const credentialsOf = (request: FastifyRequest): { uuid: string; key: string } => ({
  uuid: queryValue(request, 'uuid') ?? '',
  key: queryValue(request, 'key') ?? '',
});

const isRight = (context: UseCaseContext, request: FastifyRequest): boolean => {
  try {
    checkUnsubscribe(context, credentialsOf(request));
    return true;
  } catch {
    return false;
  }
};

const refuse = (reply: FastifyReply): FastifyReply =>
  sendNotice(reply.code(400), {
    title: 'This link is not valid',
    text: 'Please use the link of a newsletter that you were sent, whole.',
  });
