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
  if (isPlain(query)) return new Response(null, { headers: { 'x-middleware-next': '1' } });
  const { companion, refusal } = PREPRESS_SITE;
  if (companion !== null) {
    const path = request.url.slice(0, at).replace(/^[a-z]+:\/\/[^/]*/, '');
    const rest = contentPath(path, PREPRESS_SITE.basePath) ?? '';
    const headers = { 'x-middleware-rewrite': `${companion}/${rest}?${query}` };
    return new Response(null, { headers });
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

/** Letters beyond ASCII, and malformed codes: values with these may be read in two ways. */
const ODD = /[^\x21-\x7e]|%(?![0-7][0-9a-fA-F])/;

/** Each parameter under its plain name, and once. */
const isPlain = (query: string): boolean => {
  const seen = new Set<string>();
  return query.split('&').every((pair) => {
    const [sent = '', ...value] = pair.split('=');
    const name = decoded(sent);
    if (!PREPRESS_SITE.read.includes(name)) return true;
    const isRepeated = seen.has(name);
    seen.add(name);
    return name === sent && !isRepeated && !(name === 'include' && ODD.test(value.join('=')));
  });
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
