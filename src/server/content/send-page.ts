// Sends a page for people: in its html each link to an endpoint gets the content key while it is served (decisions,
// Content). No key is ever written to a file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { findShownKey } from '../../admin/keys.ts';
import { PAGE_CACHE } from '../../paths/headers.ts';
import type { ServerDeps } from '../ports.ts';
import { isDocument } from './key-check.ts';

/** Embeds and media of others are shown. Scripts of others would run beside the desk, which holds a key. */
const PAGE_POLICY =
  "default-src 'self'; img-src * data:; media-src *; frame-src 'self' https:; style-src 'self' 'unsafe-inline'";

/** `file` is relative to the folder of the pages. */
export type PageSender = (reply: FastifyReply, file: string) => Promise<FastifyReply>;

export const createPageSender = ({ config, context }: ServerDeps): PageSender => {
  const { basePath } = config;
  return async (reply, file) => {
    const html = await readFile(join(config.output, basePath, file), 'utf8');
    const key = config.contentKey === 'required' ? await findShownKey(context, 'content') : null;
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': PAGE_CACHE })
      .send(key === null ? html : addKey(html, { basePath, key }));
  };
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
