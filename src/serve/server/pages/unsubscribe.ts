// The page behind a member's unsubscribe_url, outside of the admin interface: the address is the
// credential. Looking changes nothing; the page's button and the one-click POST of mail programs (RFC 8058)
// unsubscribe, and the page that follows offers to undo it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFollowing } from '../../../publication/store/import/following.ts';
import { findFault, undoUnsubscribe, unsubscribe } from '../../admin/members/unsubscribe.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { queryValue } from '../routes/request-values.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { SendMessage } from './message-page.ts';

export const unsubscribeRoutes = (
  app: FastifyInstance,
  deps: ServerDeps,
  sendMessage: SendMessage,
): void => {
  const { context } = deps;
  app.removeAllContentTypeParsers();
  // The address says what is to be done; of the body, only the page's own form is read.
  app.addContentTypeParser('*', { bodyLimit: BODY_BYTES_MAX }, (_request, body, done) => {
    body.resume();
    done(null);
  });
  const read = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', read, (_request, body, done) =>
    done(null, body),
  );
  const path = `${deps.config.basePath}/unsubscribe/`;
  /** The site that is followed sends the newsletters, and alone knows who wants them: it would go on sending. */
  const sendElsewhere = (reply: FastifyReply): Promise<FastifyReply> =>
    sendMessage(reply.code(409), {
      title: 'Please use another link',
      text: 'Nothing was changed: unsubscribe with the link at the end of a newsletter.',
    });
  /** Null where the address may be used. */
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const fault = await findFault(context, credentialsOf(request));
    if (fault === 'key') return sendMessage(reply.code(400), NOT_VALID);
    if (await isFollowing(context.store)) return sendElsewhere(reply);
    return fault === null ? null : sendMessage(reply.code(410), OUT_OF_DATE);
  };
  app.get(path, async (request, reply) => {
    const refused = await refuse(request, reply);
    if (refused !== null) return refused;
    return sendMessage(reply, {
      title: 'Unsubscribe?',
      text: 'You will get no more newsletters from this site.',
      button: 'Unsubscribe',
    });
  });
  app.post(path, async (request, reply) => {
    const refused = await refuse(request, reply);
    if (refused !== null) return refused;
    const undo =
      typeof request.body === 'string' ? new URLSearchParams(request.body).get('undo') : null;
    const answer = await (undo === null
      ? leave(context, request)
      : comeBack(context, request, undo));
    deps.publisher.wake();
    return sendMessage(reply, answer);
  });
};

const NOT_VALID = {
  title: 'This link is not valid',
  text: 'Please use the link of a newsletter that you were sent, whole.',
};

const OUT_OF_DATE = {
  title: 'This link is out of date',
  text: 'Nothing was changed: the membership of this link was deleted. If you still get newsletters, use the link in the newest one.',
};

const leave = async (context: UseCaseContext, request: FastifyRequest) => {
  const { names, undo } = await unsubscribe(context, credentialsOf(request));
  if (undo === null) {
    return {
      title: 'Unsubscribed',
      text: 'You are subscribed to no newsletter of this site.',
    };
  }
  return {
    title: 'Unsubscribed',
    text: `You will get no more newsletters from this site. This ended: ${names.join(', ')}.`,
    more: 'Was that a mistake?',
    button: 'Subscribe again',
    fields: { undo },
  };
};

const comeBack = async (context: UseCaseContext, request: FastifyRequest, undo: string) => {
  const names = await undoUnsubscribe(context, credentialsOf(request), undo);
  return names.length === 0
    ? { title: 'Nothing to undo', text: 'The newsletters that you had are no longer sent.' }
    : {
        title: 'Subscribed again',
        text: `You get these newsletters again: ${names.join(', ')}.`,
      };
};

const BODY_BYTES_MAX = 16_384;

const credentialsOf = (request: FastifyRequest): { uuid: string; key: string } => ({
  uuid: queryValue(request, 'uuid') ?? '',
  key: queryValue(request, 'key') ?? '',
});
