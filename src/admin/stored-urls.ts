// Addresses of the own site are stored with a placeholder, so that the site can move (facts 1.1): in
// html within the attributes that hold addresses, never inside <code>; in plain fields as a whole.
import { editOutside } from './html-regions.ts';

const PLACEHOLDER = '__GHOST_URL__';
const ADDRESS_ATTRIBUTE =
  /(\s(?:href|src|data-kg-background-image|data-kg-custom-thumbnail|data-kg-thumbnail)\s*=\s*)(["'])([^"']*)\2/gi;
const SRCSET_ATTRIBUTE = /(\ssrcset\s*=\s*)(["'])([^"']*)\2/gi;
const STYLE_URL = /(url\(\s*["']?)([^"')]+)/gi;
const STYLE_ATTRIBUTE = /(\sstyle\s*=\s*)("[^"]*"|'[^']*')/gi;
const TAG = /<[a-z][^<>]*>/gi;
const CODE = { open: /<code[\s>]/gi, close: /<\/code>/gi };

/** One address: absolute on the own site, or beginning with a single slash. */
export const toStoredUrl = (url: string, siteUrl: string): string => {
  if (url === siteUrl || url.startsWith(`${siteUrl}/`)) {
    return `${PLACEHOLDER}${url.slice(siteUrl.length)}`;
  }
  return url.startsWith('/') && !url.startsWith('//') ? `${PLACEHOLDER}${url}` : url;
};

/** Every address in the markup of an html text. */
export const toStoredHtml = (html: string, siteUrl: string): string =>
  editOutside(html, CODE, (part) => storeTags(part, siteUrl));

const storeTags = (html: string, siteUrl: string): string =>
  html.replace(TAG, (tag) =>
    tag
      .replace(
        ADDRESS_ATTRIBUTE,
        (_, name: string, quote: string, url: string) =>
          `${name}${quote}${toStoredUrl(url.trim(), siteUrl)}${quote}`,
      )
      .replace(
        SRCSET_ATTRIBUTE,
        (_, name: string, quote: string, set: string) =>
          `${name}${quote}${storeSrcset(set, siteUrl)}${quote}`,
      )
      .replace(
        STYLE_ATTRIBUTE,
        (_, name: string, value: string) =>
          `${name}${value.replace(STYLE_URL, (_all, open: string, url: string) => `${open}${toStoredUrl(url, siteUrl)}`)}`,
      ),
  );

const storeSrcset = (set: string, siteUrl: string): string =>
  set
    .split(',')
    .map((candidate) => candidate.trim())
    .map((candidate) => {
      const [url = '', ...rest] = candidate.split(/\s+/);
      return [toStoredUrl(url, siteUrl), ...rest].join(' ');
    })
    .join(', ');
