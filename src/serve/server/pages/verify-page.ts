// The page behind the link that verifies a sender address. Following it is a GET, because people follow
// links; a HEAD, which mail scanners and previews send, never reaches the token.
import type { FastifyInstance } from 'fastify';
import { verifySender } from '../../admin/newsletters/verify-sender.ts';
import { queryValue } from '../routes/request-values.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { SendMessage } from './message-page.ts';

const PAGES = {
  verified: {
    status: 200,
    title: 'Address verified',
    text: 'It is now the sender address of the newsletter.',
  },
  already: {
    status: 200,
    title: 'Already verified',
    text: 'This address was verified before. It is the sender address of the newsletter.',
  },
  ended: {
    status: 410,
    title: 'This link no longer works',
    text: 'It was used, is older than a day, a newer link was sent, or the newsletter was saved without the address since. Save the address once more to get a new one.',
  },
  unknown: {
    status: 404,
    title: 'This link is not known',
    text: 'Use the whole link from the mail, or save the address again to get a new one.',
  },
} as const;

export const verifyPage = (
  app: FastifyInstance,
  { config, context }: ServerDeps,
  sendMessage: SendMessage,
): void => {
  const path = `${config.basePath}/newsletters/verify/`;
  app.get(path, { exposeHeadRoute: false }, async (request, reply) => {
    const token = queryValue(request, 'token') ?? '';
    const { outcome } = await verifySender(context, token);
    const { status, ...page } = PAGES[outcome];
    return sendMessage(reply.code(status), page);
  });
  app.head(path, async (_request, reply) => reply.code(405).header('allow', 'GET').send());
};
