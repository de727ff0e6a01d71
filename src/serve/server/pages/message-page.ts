// The few pages that this server itself shows to people: behind mailed links, before the first build, and for errors. They
// carry the publication's name and colour, load nothing, may be framed and kept by nobody, and send their address nowhere.
import type { FastifyReply } from 'fastify';
import { findSetting } from '../../../publication/store/content/settings.ts';
import type { UseCaseContext } from '../../admin/use-case-context.ts';
import { messageStyle } from './message-style.ts';

export type MessagePage = {
  readonly title: string;
  readonly text: string;
  /** What says more, in smaller letters. */
  readonly more?: string | undefined;
  /** Sends the page's own address back as a POST, with `fields` in the body. */
  readonly button?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The page is loaded again after this. */
  readonly refreshSeconds?: number;
};

export type SendMessage = (reply: FastifyReply, notice: MessagePage) => Promise<FastifyReply>;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

type Look = {
  readonly name: string | null;
  readonly accent: string | null;
  readonly url: string | null;
};

const PLAIN: Look = { name: null, accent: null, url: null };

export const createSendMessage = (context: Pick<UseCaseContext, 'store' | 'site'>): SendMessage => {
  // A page that says what is wrong must not depend on what may be wrong.
  const look = (): Promise<Look> => lookOf(context).catch(() => PLAIN);
  return async (reply, notice) => {
    const html = pageOf(notice, await look());
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(html);
  };
};

const lookOf = async ({ store, site }: Pick<UseCaseContext, 'store' | 'site'>): Promise<Look> => ({
  name: await findSetting(store, 'title'),
  accent: await findSetting(store, 'accent_color'),
  url: (await site()).siteUrl,
});

const pageOf = (notice: MessagePage, { name, accent, url }: Look): string => {
  const { title, text, more, refreshSeconds } = notice;
  const refresh =
    refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const site =
    name === null
      ? ''
      : `<p class="name"><a href="${escapeHtml(url ?? '/')}/">${escapeHtml(name)}</a></p>`;
  const small = more ? `<p class="more">${escapeHtml(more)}</p>` : '';
  const head = name === null ? title : `${title} – ${name}`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}` +
    `<title>${escapeHtml(head)}</title><style>${messageStyle(accent)}</style></head>` +
    `<body><main>${site}<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${small}${formOf(notice)}</main></body></html>\n`
  );
};

const formOf = ({ button, fields = {} }: MessagePage): string => {
  if (button === undefined) return '';
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post">${inputs.join('')}<button type="submit">${escapeHtml(button)}</button></form>`;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
