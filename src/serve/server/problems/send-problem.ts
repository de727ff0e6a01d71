// Answers a problem: in the nine keys for programs, as a page for browsers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, REFUSED_CACHE } from '../../../content/paths/headers.ts';
import { splitUrl } from '../addresses.ts';
import { setContentHeaders } from '../content/content-headers.ts';
import type { MessagePage, SendMessage } from '../pages/message-page.ts';
import { problemBody } from './problem.ts';
import type { Problem } from './problems.ts';
import { asksForPage } from './requested-type.ts';

export type SendProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
) => FastifyReply;

/** Those of a file that could not be sent do not stand for the problem that is sent in its place. */
const REPRESENTATION_HEADERS = ['accept-ranges', 'content-encoding', 'etag', 'last-modified'];

export const createSendProblem =
  (basePath: string, sendMessage: SendMessage): SendProblem =>
  (request, reply, problem) => {
    const { path } = splitUrl(request.raw.url ?? '/');
    if (path.startsWith(`${basePath}/content/`)) setContentHeaders(reply, basePath);
    for (const name of REPRESENTATION_HEADERS) reply.removeHeader(name);
    reply.code(problem.status).headers(problem.headers ?? {});
    if (asksForPage(request)) {
      // Not awaited: a reply that is awaited waits until it was sent.
      sendMessage(reply, messageOf(problem)).catch((error: unknown) => reply.send(error));
      return reply;
    }
    const isStored = !String(reply.getHeader('cache-control')).includes('no-store');
    if (isStored) reply.header('cache-control', REFUSED_CACHE);
    return reply
      .headers({ 'x-content-type-options': 'nosniff', ...problem.headers })
      .type(JSON_TYPE)
      .send(JSON.stringify(problemBody(problem)));
  };

const TITLES: Readonly<Record<number, string>> = {
  401: 'A valid key is needed',
  403: 'Not allowed',
  404: 'Nothing is here',
  413: 'Too large',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Please try again soon',
};

const messageOf = ({ status, message, context }: Problem): MessagePage => ({
  title: TITLES[status] ?? 'This did not work',
  text: status === 404 ? 'There is no page at this address.' : message,
  more: context ?? undefined,
});
