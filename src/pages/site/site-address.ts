// Where pages for readers stand: at exactly the urls that the interface names. A url becomes a file below the
// folder of the pages, and a link that works wherever that folder is served.
import { posix } from 'node:path';
import { FILE_NAME_BYTES_MAX } from '../../base/limits.ts';
import { RESERVED_PAGE_NAMES } from '../../publish/output/pages/page-files.ts';

export type SiteAddress = {
  /** Relative to the folder of the pages. */
  readonly file: string;
  /** Path from the root of the host, percent-encoded. */
  readonly href: string;
};

export type SiteAddresses = {
  /** The path of the site without its last slash; empty, or such as /blog. */
  readonly root: string;
  /** Null for a url that no page can stand at: of another site, of the interface or a feed, or with a name that no disk holds. */
  readonly find: (url: string) => SiteAddress | null;
  /** A link that somebody wrote, made safe; null for what is no address of http or mail. */
  readonly link: (text: string | null) => string | null;
  /** The whole address of a path of the site. */
  readonly absolute: (path: string) => string;
};

export const createSiteAddresses = (siteUrl: string): SiteAddresses => {
  const site = new URL(siteUrl);
  const root = trimmedEnd(site.pathname);
  const hrefOf = ({ pathname, search, hash }: URL): string => `${pathname}${search}${hash}`;
  const isOwn = ({ origin, pathname }: URL): boolean =>
    origin === site.origin && `${pathname}/`.startsWith(`${root}/`);
  return {
    root,
    find: (url) => {
      const parsed = parse(url);
      if (parsed === null || !isOwn(parsed)) return null;
      const file = fileOf(parsed.pathname.slice(root.length + 1));
      return file === null ? null : { file, href: parsed.pathname };
    },
    link: (text) => {
      const written = text?.trim() ?? '';
      // Ghost's own sign-up opens at such a fragment; there is none here.
      if (written === '' || /^(?:\/?#\/)/.test(written)) return null;
      const isPath = written.startsWith('/') && !/^\/[/\\]/.test(written);
      const isInSite = `${written}/`.startsWith(`${root}/`);
      const base = `${site.origin}${isPath && isInSite ? '' : root}`;
      const parsed = parse(written, base, isPath);
      if (parsed === null || parsed.hash.startsWith('#/')) return null;
      if (['mailto:', 'tel:'].includes(parsed.protocol)) return parsed.href;
      if (!['http:', 'https:'].includes(parsed.protocol)) return null;
      return isOwn(parsed) ? hrefOf(parsed) : parsed.href;
    },
    absolute: (path) => `${site.origin}${path}`,
  };
};

const trimmedEnd = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

const parse = (text: string, base?: string, isPath = false): URL | null => {
  const whole = isPath ? `${base}${text}` : text;
  const from = base && `${base}/`;
  return URL.canParse(whole, from) ? new URL(whole, from) : null;
};

/** Files of the templates that come with Prepress: a page below one of these names would take its place. */
const TEMPLATE_FILES =
  /^(?:rss|feed\.(?:rss|atom|json)|(?:robots|llms|llms-full)\.txt|404\.html|index\.html|sitemap(?:-\d+)?\.xml)$/;

const isTaken = (first: string): boolean =>
  RESERVED_PAGE_NAMES.includes(first) || TEMPLATE_FILES.test(first);

const fileOf = (path: string): string | null => {
  let names: string[];
  try {
    names = path.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
  const isFolder = names.at(-1) === '';
  const parts = isFolder ? [...names.slice(0, -1), 'index.html'] : [...names, 'index.html'];
  const [first = ''] = parts.slice(0, -1);
  if (isTaken(first.toLowerCase()) || !parts.every(isName)) return null;
  return posix.join(...parts);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNUSABLE = /[\u0000-\u001f\u007f/\\]|^\./;

const isName = (name: string): boolean =>
  name !== '' && !UNUSABLE.test(name) && Buffer.byteLength(name) <= FILE_NAME_BYTES_MAX;
