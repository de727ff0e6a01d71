// The middleware of Vercel, whose routes see decoded parameters, one of each name: what they would read otherwise than the
// companion server is refused or passed on here, before any route is asked. Bundled by bundle.ts, which puts the site in.
import { contentPath } from '../../paths/content-path.ts';
import { JSON_TYPE, REFUSED_CACHE, SHARED_HEADERS } from '../../paths/headers.ts';

export type VercelSite = {
  readonly basePath: string;
  /** Body of a refusal. */
  readonly refusal: string;
  /** The content folder of a companion server; null: there is none. */
  readonly companion: string | null;
  /** Parameters that name a file. */
  readonly read: readonly string[];
};

declare const PREPRESS_SITE: VercelSite;

export default (request: Request): Response => {
  const at = `${request.url}?`.indexOf('?');
  const query = request.url.slice(at + 1);
  const plain = plainQuery(query);
  if (plain === query) return new Response(null, { headers: { 'x-middleware-next': '1' } });
  const address = request.url.slice(0, at);
  if (plain !== null) return rewrite(`${address}?${plain}`);
  const { companion, refusal } = PREPRESS_SITE;
  if (companion !== null) {
    const path = address.replace(/^[a-z]+:\/\/[^/]*/, '');
    const rest = contentPath(path, PREPRESS_SITE.basePath) ?? '';
    return rewrite(`${companion}/${rest}?${query}`);
  }
  return new Response(request.method === 'HEAD' ? null : refusal, {
    status: 400,
    headers: [
      ...SHARED_HEADERS.map(([name, value]): [string, string] => [name, value]),
      ['Content-Type', JSON_TYPE],
      ['Cache-Control', REFUSED_CACHE],
    ],
  });
};

const rewrite = (url: string): Response =>
  new Response(null, { headers: { 'x-middleware-rewrite': url } });

/** Letters beyond ASCII, and malformed codes: values with these may be read in two ways. */
const ODD = /[^\x21-\x7e]|%(?![0-7][0-9a-fA-F])/;

/** The same query with each parameter under its plain name, and once; null where routes could not read it rightly. */
const plainQuery = (query: string): string | null => {
  const pairs: string[] = [];
  const seen = new Map<string, number>();
  for (const pair of query.split('&')) {
    const [sent = '', ...values] = pair.split('=');
    const name = parameterName(sent);
    const at = seen.get(name);
    if (!PREPRESS_SITE.read.includes(name)) pairs.push(pair);
    else if (name === 'include' && ODD.test(values.join('='))) return null;
    else if (at === undefined) {
      seen.set(name, pairs.length);
      pairs.push(`${name}${pair.slice(sent.length)}`);
    } else if (name === 'include') pairs[at] = `include=${[includes(pairs[at]), values].join()}`;
    else return null;
  }
  return pairs.join('&');
};

const includes = (pair = ''): string => pair.slice('include='.length);

const parameterName = (sent: string): string => decoded(sent).replace(/\[\d{0,3}\]$/, '');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
