// The pages for people in output/, for preview: files as they are.
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { PAGE_CACHE } from '../../../content/paths/headers.ts';
import { NOT_FOUND } from '../../../content/paths/problems.ts';
import { hasSummary } from '../../../publish/output/session/open-session.ts';
import { slashed, splitUrl } from '../addresses.ts';
import { isDocument } from '../content/key-check.ts';
import { ProblemError } from '../problems/problem.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { MessagePage, SendMessage } from './message-page.ts';
import { notBuilt, notBuiltMessage } from './not-built.ts';
import { createPlainFiles } from './plain-files.ts';
import { createPageSender } from './send-page.ts';

const CONTENT = 'content/'.length;

const MARKDOWN = 'text/markdown';
/** Of equal ones the first. */
const PAGE_TYPES = ['text/html', MARKDOWN];

const noPagesMessage = (basePath: string, isReader: boolean): MessagePage => {
  const editors = isReader ? '' : `, editors write at ${basePath}/desk/`;
  return {
    title: 'No pages for readers',
    text: `Content is below ${basePath}/content/${editors}.`,
    more: 'The setting "site" makes pages.',
  };
};

/** Registers the routes that come last: everything no other route answers. */
export const readerPages = (
  app: FastifyInstance,
  deps: ServerDeps,
  sendMessage: SendMessage,
): void => {
  const { config, publisher, context } = deps;
  const { basePath } = config;
  const { isReader } = context.store;
  const root = join(config.output, basePath);
  const plainFiles = createPlainFiles(root);
  const find = async (path: string): Promise<string | null> => {
    const file = await plainFiles.find(path);
    // Documents have routes of their own, whatever link leads to them.
    const isTaken = /^content[/\\]/.test(file ?? '') && isDocument(file?.slice(CONTENT) ?? '');
    return isTaken ? null : file;
  };
  const sendHtml = createPageSender(deps);
  const answerWithoutFile = async (rest: string, reply: FastifyReply): Promise<FastifyReply> => {
    const firstBuild = publisher.firstBuild();
    if (rest === '' && (firstBuild !== null || !hasSummary(join(root, 'content')))) {
      const { status, headers = {} } = notBuilt(firstBuild);
      return sendMessage(reply.code(status).headers(headers), notBuiltMessage(firstBuild));
    }
    const hasPages = (await find('404.html')) !== null;
    if (rest === '' && !hasPages) return sendMessage(reply, noPagesMessage(basePath, isReader));
    if (!hasPages) throw new ProblemError(NOT_FOUND);
    return sendHtml(reply.code(404), '404.html');
  };
  /** A folder has its page, and its text for who asks for that. */
  const answerPage = async (
    { headers: { accept = '' }, raw }: FastifyRequest,
    reply: FastifyReply,
    { file, isFolder }: { readonly file: string; readonly isFolder: boolean },
  ): Promise<FastifyReply> => {
    if (!config.markdown || !isFolder) return sendHtml(reply, file);
    reply.header('vary', 'Accept');
    const [best] = new Negotiator({ headers: { accept } }).mediaTypes(PAGE_TYPES);
    const folder = splitUrl(raw.url ?? '/').path.slice(basePath.length + 1);
    const text = best === MARKDOWN ? await find(`${folder}index.md`) : null;
    return text === null ? sendHtml(reply, file) : plainFiles.send(reply, text);
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const rest = splitUrl(request.raw.url ?? '/').path.slice(basePath.length + 1);
    const isFolder = rest === '' || rest.endsWith('/');
    const file = await find(isFolder ? `${rest}index.html` : rest);
    if (file?.endsWith('.html')) return answerPage(request, reply, { file, isFolder });
    if (file !== null) return plainFiles.send(reply, file);
    if (!isFolder && (await find(`${rest}/index.html`)) !== null) {
      reply.header('cache-control', PAGE_CACHE);
      return reply.redirect(slashed(request.originalUrl), 301);
    }
    return answerWithoutFile(rest, reply);
  };
  app.route({ method: ['GET', 'HEAD'], url: `${basePath}/*`, handler: answer });
  // A trailing slash is ignored, so the folder itself is an address of its own.
  if (basePath !== '') app.route({ method: ['GET', 'HEAD'], url: basePath, handler: answer });
};
