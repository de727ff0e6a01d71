// Posts and pages that are not published, for who has the token of a link: the document, and the page. Whatever is wrong with
// a token has one answer, before anything of the record is read. Nobody keeps what is answered, and nobody is told the address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '../../../content/paths/headers.ts';
import type { PostType } from '../../../publication/store/content/posts.ts';
import { readPreviewToken } from '../../admin/posts/preview-links.ts';
import type { Previews } from '../../admin/posts/previews.ts';
import { splitUrl } from '../addresses.ts';
import type { SendMessage } from '../pages/message-page.ts';
import { createHtmlSender } from '../pages/send-page.ts';
import { ProblemError } from '../problems/problem.ts';
import { PREVIEW_REFUSED } from '../problems/problems.ts';
import { pathValue, queryValue } from '../routes/request-values.ts';
import type { ServerDeps } from '../server-deps.ts';
import { setContentHeaders } from './content-headers.ts';

const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

const NO_PAGES = {
  title: 'No page to show',
  text: 'This publication makes no pages: set previewLinks to the address of the site that shows its previews.',
};

export const previewRoutes = (
  app: FastifyInstance,
  deps: ServerDeps & { readonly previews: Previews },
  sendMessage: SendMessage,
): void => {
  const { config, context, previews } = deps;
  const { basePath } = config;
  if (config.previewLinks === 'off') return;
  const sendHtml = createHtmlSender(deps);
  const admit = async (request: FastifyRequest, reply: FastifyReply, type: PostType) => {
    setContentHeaders(reply, basePath);
    reply.headers(HEADERS);
    const uuid = pathValue(request, 'uuid');
    const scope = await readPreviewToken(context, { type, uuid }, tokenOf(request));
    if (scope === null) throw new ProblemError(PREVIEW_REFUSED);
    return { ...scope, type, uuid };
  };
  for (const type of ['post', 'page'] as const) {
    const path = `${basePath}/content/${type}s/preview/:uuid/`;
    app.get(path, async (request, reply) => {
      const named = await admit(request, reply, type);
      const { query } = splitUrl(request.raw.url ?? '');
      return reply.type(JSON_TYPE).send(await previews.document(named, query));
    });
    // A HEAD, which programs that look at links send, renders nothing.
    app.get(`${path}page/`, { exposeHeadRoute: false }, async (request, reply) => {
      const html = await previews.html(await admit(request, reply, type));
      if (html === null) return sendMessage(reply.code(404), NO_PAGES);
      const { siteUrl } = await context.site();
      const text = withOwnFiles(html, `${siteUrl}/content/`, `${basePath}/content/`);
      return sendHtml(reply, { file: 'index.html', text, headers: HEADERS });
    });
  }
};

/** Pictures that the public site has only once the post is published. */
const withOwnFiles = (html: string, there: string, here: string): string =>
  html.replaceAll(`"${there}`, `"${here}`).replaceAll(`, ${there}`, `, ${here}`);

/** Programs send it in a header, which no log of a proxy has. */
const tokenOf = (request: FastifyRequest): string =>
  /^Bearer (.*)$/i.exec(request.headers.authorization ?? '')?.[1] ??
  queryValue(request, 'token') ??
  '';
