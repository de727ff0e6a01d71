// The pages for people in output/, for preview: files as they are, and in html each link to an endpoint
// gets the content key while it is served (decisions, Content). No key is ever written to a file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findShownKey } from '../../admin/keys.ts';
import { hasSummary } from '../../emit/open-session.ts';
import { PAGE_CACHE } from '../../paths/headers.ts';
import { slashed, splitUrl } from '../addresses.ts';
import { notBuilt, notBuiltNotice } from '../not-built.ts';
import type { SendNotice } from '../notice-page.ts';
import type { ServerDeps } from '../ports.ts';
import { NO_ROUTE, ProblemError } from '../problem.ts';
import { isDocument } from './key-check.ts';
import { createPlainFiles } from './plain-files.ts';

const CONTENT = 'content/'.length;
const PAGE_POLICY = "default-src 'self'; img-src * data:; style-src 'self' 'unsafe-inline'";

/** Registers the routes that come last: everything no other route answers. */
export const peoplePages = (
  app: FastifyInstance,
  deps: ServerDeps,
  sendNotice: SendNotice,
): void => {
  const { config, context, publisher } = deps;
  const { basePath } = config;
  const root = join(config.output, basePath);
  const plainFiles = createPlainFiles(root);
  const find = async (path: string): Promise<string | null> => {
    const file = await plainFiles.find(path);
    // Documents have routes of their own, whatever link leads to them.
    const isTaken = /^content[/\\]/.test(file ?? '') && isDocument(file?.slice(CONTENT) ?? '');
    return isTaken ? null : file;
  };
  const sendHtml = async (reply: FastifyReply, file: string): Promise<FastifyReply> => {
    const html = await readFile(join(root, file), 'utf8');
    const key = config.contentKey === 'required' ? await findShownKey(context, 'content') : null;
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': PAGE_CACHE })
      .send(key === null ? html : addKey(html, { basePath, key }));
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('x-content-type-options', 'nosniff');
    const rest = splitUrl(request.raw.url ?? '/').path.slice(basePath.length + 1);
    const isFolder = rest === '' || rest.endsWith('/');
    const file = await find(isFolder ? `${rest}index.html` : rest);
    if (file?.endsWith('.html')) return sendHtml(reply, file);
    if (file !== null) return plainFiles.send(reply, file);
    if (!isFolder && (await find(`${rest}/index.html`)) !== null) {
      reply.header('cache-control', PAGE_CACHE);
      return reply.redirect(slashed(request.originalUrl), 301);
    }
    const firstBuild = publisher.firstBuild();
    if (rest === '' && (firstBuild !== null || !hasSummary(join(root, 'content')))) {
      const { status, headers = {} } = notBuilt(firstBuild);
      return sendNotice(reply.code(status).headers(headers), notBuiltNotice(firstBuild));
    }
    if ((await find('404.html')) === null) throw new ProblemError(NO_ROUTE);
    return sendHtml(reply.code(404), '404.html');
  };
  app.route({ method: ['GET', 'HEAD'], url: `${basePath}/*`, handler: answer });
  // A trailing slash is ignored, so the folder itself is an address of its own.
  if (basePath !== '') app.route({ method: ['GET', 'HEAD'], url: basePath, handler: answer });
};

type KeyOptions = { readonly basePath: string; readonly key: string };

const LINK = /(\shref=")([^"]*)/g;

/** Adds the key to each link that leads to an endpoint. */
export const addKey = (html: string, { basePath, key }: KeyOptions): string => {
  const endpoint = `${basePath}/content/`;
  return html.replace(LINK, (link, start: string, address: string) => {
    const isGuarded = address.startsWith(endpoint) && isDocument(address.slice(endpoint.length));
    if (!isGuarded) return link;
    if (/[?&;]key=/.test(address)) return link;
    return `${start}${address}${address.includes('?') ? '&amp;' : '?'}key=${key}`;
  });
};
