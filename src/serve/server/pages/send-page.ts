// Sends a page for people: in its html each link to an endpoint gets the content key while it is served (decisions,
// Content). No key is ever written to a file. Of its scripts the site's own run, since the desk has the same origin.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS, pagePolicy } from '../../../content/paths/headers.ts';
import { findShownKey } from '../../admin/keys/keys.ts';
import { isDocument } from '../content/key-check.ts';
import type { ServerDeps } from '../server-deps.ts';
import { createAdmitScripts } from './page-scripts.ts';

/** `file` is relative to the folder of the pages. */
export type PageSender = (reply: FastifyReply, file: string) => Promise<FastifyReply>;

export const createPageSender = (deps: ServerDeps): PageSender => {
  const { output, basePath } = deps.config;
  const sendHtml = createHtmlSender(deps);
  return async (reply, file) =>
    sendHtml(reply, { file, text: await readFile(join(output, basePath, file), 'utf8') });
};

type HtmlPage = {
  readonly file: string;
  readonly text: string;
  /** In place of those that pages have. */
  readonly headers?: Readonly<Record<string, string>>;
};

type HtmlSender = (reply: FastifyReply, page: HtmlPage) => Promise<FastifyReply>;

/** The same for a page that is no file: `file` is where it would be. */
export const createHtmlSender = ({ config, context }: ServerDeps): HtmlSender => {
  const { basePath } = config;
  const admitScripts = createAdmitScripts(config);
  return async (reply, { file, text, headers = {} }) => {
    const { html, scripts, leavesOut } = await admitScripts(text, file);
    const page = leavesOut ? addNote(html) : html;
    const key = config.contentKey === 'required' ? await findShownKey(context, 'content') : null;
    return reply
      .type('text/html; charset=utf-8')
      .headers(Object.fromEntries([...PAGE_HEADERS, pagePolicy(scripts)]))
      .headers(headers)
      .send(key === null ? page : addKey(page, { basePath, key }));
  };
};

const NOTE =
  '<p role="note" style="max-width:40rem;margin:2rem auto;padding:0 1rem;font:0.875rem/1.5 system-ui,sans-serif">' +
  'Embeds, and scripts of posts and code injection, are left out here: the desk has the same origin.</p>';

/** At the end of the page. */
const addNote = (html: string): string => {
  const end = html.lastIndexOf('</body>');
  return end < 0 ? `${html}${NOTE}` : `${html.slice(0, end)}${NOTE}${html.slice(end)}`;
};

type KeyOptions = { readonly basePath: string; readonly key: string };

const LINK = /(\shref=")([^"]*)/g;

/** Adds the key to each link that leads to an endpoint. */
const addKey = (html: string, { basePath, key }: KeyOptions): string => {
  const endpoint = `${basePath}/content/`;
  return html.replace(LINK, (link, start: string, address: string) => {
    const isGuarded = address.startsWith(endpoint) && isDocument(address.slice(endpoint.length));
    if (!isGuarded) return link;
    if (/[?&;]key=/.test(address)) return link;
    return `${start}${address}${address.includes('?') ? '&amp;' : '?'}key=${key}`;
  });
};
