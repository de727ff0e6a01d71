// Adds `ref={site host}` to links that leave the site, so that the site they lead to can tell where
// its readers come from (facts 1.1). Only the parameter is inserted: the rest of every href stays as
// it was written, byte for byte.
import { type ByteText, EMPTY, readByteText } from './byte-text.ts';
import { scanHrefs } from './html-tags.ts';

export type OutboundLinkTagger = (html: ByteText) => ByteText;

const ORIGIN = /^\s*https?:\/\/[^/?#\\\s]+/i;
const PLAIN_ORIGIN = /^(https?):\/\/([a-z0-9._-]+(?::\d+)?)$/;
const CACHED_ORIGINS_MAX = 1_000;
const AMPERSAND_REFERENCE = /&(?:amp|#38|#x26);/gi;
const REFERRER_PARAMETER = /(?:^|&)(?:ref|utm_source|source)(?=[=&]|$)/;
const CHARACTER_REFERENCE = /&#(?:\d+|x[\da-f]+);/iy;
/** Sites whose links break with a parameter they do not know; `www.` is left off. */
const UNTAGGED_HOSTS: ReadonlySet<string> = new Set([
  'facebook.com',
  'archive.org',
  'web.archive.org',
  'federalreserve.gov',
  'chicagomag.com',
  'bailii.org',
]);
const UNTAGGED_DOMAINS = ['doubleclick.net', 'substack.com'];

/** `siteUrl` is absolute. */
export const createOutboundLinkTagger = (siteUrl: string): OutboundLinkTagger => {
  const site = new URL(siteUrl);
  const parameter = `ref=${encodeURIComponent(site.hostname.replace(/^www\./, ''))}`;
  const isTaggedOrigin = cacheByText((origin) => {
    const host = findHost(origin);
    return host !== null && host !== site.host && !isUntagged(host);
  });
  return (html) => {
    let tagged: string = EMPTY;
    let copied = 0;
    scanHrefs(html, (start, end) => {
      const href = readByteText(html.slice(start, end) as ByteText);
      const origin = ORIGIN.exec(href)?.[0];
      if (origin === undefined || !isTaggedOrigin(origin)) return;
      const insertion = planInsertion(href, origin.length);
      if (insertion === null) return;
      const at = start + Buffer.byteLength(href.slice(0, insertion.at));
      tagged += html.slice(copied, at) + insertion.separator + parameter;
      copied = at;
    });
    return copied === 0 ? html : ((tagged + html.slice(copied)) as ByteText);
  };
};

const cacheByText = (decide: (text: string) => boolean): ((text: string) => boolean) => {
  const decisions = new Map<string, boolean>();
  return (text) => {
    let decision = decisions.get(text);
    if (decision === undefined) {
      decision = decide(text);
      if (decisions.size >= CACHED_ORIGINS_MAX) decisions.clear();
      decisions.set(text, decision);
    }
    return decision;
  };
};

type Insertion = { readonly at: number; readonly separator: string };

/** Where the parameter goes into an href, or null when the link says already where it comes from. */
const planInsertion = (href: string, originLength: number): Insertion | null => {
  const at = findFragment(href) ?? href.trimEnd().length;
  const queryStart = href.indexOf('?', originLength);
  if (queryStart === -1 || queryStart >= at) {
    return { at, separator: originLength < at ? '?' : '/?' };
  }
  const written = href.slice(queryStart + 1, at);
  const query = written.includes('&') ? written.replace(AMPERSAND_REFERENCE, '&') : written;
  if (REFERRER_PARAMETER.test(query)) return null;
  return { at, separator: query === '' || query.endsWith('&') ? '' : '&' };
};

/** The host as URL shows it: lower case, a port only when it is not the scheme's own. */
const findHost = (origin: string): string | null => {
  const text = origin.trim().toLowerCase();
  const [, scheme, host] = PLAIN_ORIGIN.exec(text) ?? [];
  if (scheme !== undefined && host !== undefined) {
    return host.replace(scheme === 'https' ? /:443$/ : /:80$/, '');
  }
  return !text.includes('&') && URL.canParse(text) ? new URL(text).host : null;
};

const isUntagged = (host: string): boolean => {
  const hostname = host.replace(/:\d+$/, '').replace(/^www\./, '');
  if (UNTAGGED_HOSTS.has(hostname)) return true;
  return UNTAGGED_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
};

// The "#" of a character reference such as "&#38;" starts no fragment.
const findFragment = (href: string): number | null => {
  let at = href.indexOf('#');
  while (at !== -1) {
    CHARACTER_REFERENCE.lastIndex = at - 1;
    if (!CHARACTER_REFERENCE.test(href)) return at;
    at = href.indexOf('#', at + 1);
  }
  return null;
};
