// A stand-in for a Ghost: answers content queries from records, as Ghost does, page by page and with a key; and the
// captured site's records for it.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CAPTURED_EXPORT, CAPTURED_SITE_URL, readCapture } from './captured-site.ts';

export type ContentRecord = Record<string, unknown> & { id: string };

/** As the interface shows them with every include and format. */
export type ContentSite = {
  settings: Record<string, unknown>;
  posts: ContentRecord[];
  pages: ContentRecord[];
  tags: ContentRecord[];
  authors: ContentRecord[];
  tiers: ContentRecord[];
};

export const CONTENT_KEY = 'a'.repeat(26);

export type ContentServer = {
  readonly url: string;
  readonly site: ContentSite;
  /** Paths and queries that were asked, in order, without the key. */
  readonly asked: string[];
  /** Answers in place of the site when it returns true; `count` is the number of the request, from 1. */
  intercept: (request: { count: number; url: URL }, response: ServerResponse) => boolean;
  readonly close: () => Promise<void>;
};

export const startContentSite = async (site: ContentSite): Promise<ContentServer> => {
  const asked: string[] = [];
  const server = createServer((request, response) => answer(request, response));
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', self.url);
    const key = url.searchParams.get('key');
    url.searchParams.delete('key');
    asked.push(`${url.pathname}${url.search}`);
    response.setHeader('content-version', 'v6.65');
    if (self.intercept({ count: asked.length, url }, response)) return;
    if (key !== CONTENT_KEY) {
      const refused = { message: 'Unknown Content API Key', code: 'UNKNOWN_CONTENT_API_KEY' };
      send(response, 401, { errors: [refused] });
      return;
    }
    const [, resource = ''] = /^\/ghost\/api\/content\/([a-z]+)\/$/.exec(url.pathname) ?? [];
    if (resource === 'settings') send(response, 200, { settings: site.settings, meta: {} });
    else if (resource in site)
      send(response, 200, listOf(site, resource as Listed, url.searchParams));
    else send(response, 404, { errors: [{ message: 'Resource not found' }] });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const self: ContentServer = {
    url: `http://127.0.0.1:${port}`,
    site,
    asked,
    intercept: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
};

export const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
};

type Listed = Exclude<keyof ContentSite, 'settings'>;

const listOf = (site: ContentSite, resource: Listed, query: URLSearchParams): unknown => {
  const ids = /^id:\[([0-9a-f,]*)\]$/.exec(query.get('filter') ?? '')?.[1]?.split(',');
  const found = site[resource].filter(({ id }) => ids === undefined || ids.includes(id));
  if (query.get('order') === 'id asc') found.sort((a, b) => (a.id < b.id ? -1 : 1));
  const limit = Math.min(Number(query.get('limit') ?? 15), 100);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(found.length / limit));
  const total = found.length;
  const shown = found.slice((page - 1) * limit, page * limit);
  return {
    [resource]: shown.map((record) => shape(record, resource, query)),
    meta: {
      pagination: { page, limit, pages, total, next: page < pages ? page + 1 : null, prev: null },
    },
  };
};

const RELATIONS = ['authors', 'tags', 'tiers'];

/** Of records here alone: Ghost shows the plain text of a body that it cut, asked for or not. */
export const IS_CUT = 'isCut';

const shape = (record: ContentRecord, resource: Listed, query: URLSearchParams): unknown => {
  if (resource !== 'posts' && resource !== 'pages') return record;
  const include = (query.get('include') ?? '').split(',');
  const fields = query.get('fields')?.split(',');
  const formats = (query.get('formats') ?? 'html').split(',');
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => {
      if (RELATIONS.includes(key)) return include.includes(key);
      if (key === IS_CUT) return false;
      if (key === 'plaintext' && !fields && record[IS_CUT]) return true;
      if (key === 'html' || key === 'plaintext') return !fields && formats.includes(key);
      return fields === undefined || fields.includes(key);
    }),
  );
};

type Row = Record<string, unknown> & { id: string; slug: string };
type Tables = Record<
  'posts' | 'posts_meta' | 'posts_tags' | 'posts_authors' | 'posts_products' | 'products',
  Row[]
>;

/** The captured site: what was captured, and what the interface would show of the rest of its export. */
export const capturedContentSite = (): ContentSite => {
  const parsed = JSON.parse(readFileSync(CAPTURED_EXPORT, 'utf8')) as { db: [{ data: Tables }] };
  const { data } = parsed.db[0];
  const capture = (file: string, name: string): ContentRecord[] =>
    structuredClone(readCapture(file)[name]) as ContentRecord[];
  const tags = capture('content-tags.json', 'tags');
  const authors = capture('content-authors.json', 'authors');
  const tiers = data.products.map(({ monthly_price_id: _m, yearly_price_id: _y, ...tier }) => ({
    ...tier,
    benefits: [],
  })) as ContentRecord[];
  const linked = (table: keyof Tables, column: string, of: ContentRecord[], postId: string) =>
    data[table]
      .filter((link) => link.post_id === postId)
      .sort((a, b) => Number(a.sort_order) - Number(b.sort_order))
      .flatMap((link) => of.find(({ id }) => id === link[column]) ?? []);
  const captured = [
    'content-post-gated-none.json',
    'content-post-paywall.json',
    'content-post-by-slug.json',
    'content-posts-include.json',
  ].flatMap((file) => capture(file, 'posts'));
  const whole = (post: ContentRecord): ContentRecord => ({
    plaintext: plaintextOf(data, post),
    [IS_CUT]: 'plaintext' in post,
    ...post,
    authors: linked('posts_authors', 'author_id', authors, post.id),
    tags: linked('posts_tags', 'tag_id', tags, post.id),
    tiers: linked('posts_products', 'product_id', tiers, post.id),
  });
  const listed = data.posts.filter(({ type, status }) => type === 'post' && status === 'published');
  return {
    settings: readCapture('content-settings.json').settings as Record<string, unknown>,
    posts: listed.map((row) =>
      whole(captured.find(({ id }) => id === row.id) ?? publicPost(data, row)),
    ),
    pages: capture('content-pages-include.json', 'pages').map(whole),
    tags,
    authors,
    tiers,
  };
};

const plaintextOf = (data: Tables, post: ContentRecord): unknown => {
  if (post.visibility !== 'public') return '';
  return resolved(data.posts.find(({ id }) => id === post.id)?.plaintext);
};

const resolved = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('__GHOST_URL__', CAPTURED_SITE_URL) : value;

const shownTime = (value: unknown): string => `${String(value).replace(' ', 'T')}.000+00:00`;

/** Of a post that was not captured: none of them has a paywall or links to other sites. */
const publicPost = (data: Tables, row: Row): ContentRecord => {
  const { status: _s, type: _t, lexical: _l, mobiledoc: _m, plaintext: _p, ...columns } = row;
  const shown = Object.fromEntries(
    Object.entries(columns).map(([column, value]) => [
      column,
      column.endsWith('_at') ? shownTime(value) : resolved(value),
    ]),
  );
  const html = row.visibility === 'public' ? shown.html : '';
  const { id: _id, ...meta } = data.posts_meta.find(({ post_id }) => post_id === row.id) ?? {};
  return { ...shown, ...meta, html, featured: row.featured === 1, id: row.id };
};
