// Pages for readers on a host: what our rules say of the interface neither hides nor changes them. `/content/` is the page
// about the interface where there is one, and everything below it stays the interface's.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostUnderTest } from './hosts-of-file.ts';
import type { MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

const HTML = (title: string): string => `<!DOCTYPE html><title>${title}</title>\n`;

const PAGES: Readonly<Record<string, string>> = {
  'about-us/index.html': HTML('About'),
  'content/index.html': HTML('Content interface'),
  'rss/index.html': HTML('The feed has moved'),
  'feed.atom': '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>\n',
  'feed.rss': '<?xml version="1.0"?><rss version="2.0"/>\n',
  'sitemap.xml': '<?xml version="1.0"?><urlset/>\n',
  'assets/site.css': 'body{color:#000}\n',
};

type Place = Pick<MatrixSite, 'output' | 'basePath'>;

export const putPages = ({ output, basePath }: Place): void => {
  for (const [path, text] of Object.entries(PAGES)) {
    const file = join(output, basePath, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
};

export const removePages = ({ output, basePath }: Place): void => {
  for (const path of Object.keys(PAGES)) rmSync(join(output, basePath, path));
};

const XML = /^(?:application|text)\/(?:[a-z-]+\+)?xml(?:;|$)/i;
const JSON_TYPE = 'application/json; charset=utf-8';

const ASKED: readonly (readonly [path: string, file: string, type: RegExp])[] = [
  ['/content/', 'content/index.html', /^text\/html/],
  ['/content/?from=link', 'content/index.html', /^text\/html/],
  ['/about-us/', 'about-us/index.html', /^text\/html/],
  ['/rss/', 'rss/index.html', /^text\/html/],
  ['/feed.atom', 'feed.atom', XML],
  ['/feed.rss', 'feed.rss', XML],
  ['/sitemap.xml', 'sitemap.xml', XML],
  ['/assets/site.css', 'assets/site.css', /^text\/css/],
];

type PagesOptions = {
  /** The server is a stand-in, whose types and methods would say nothing of the host's. */
  readonly isPlayed?: boolean;
};

/** Of a host that has the pages. */
export const pageTrials = (
  { title, site, ask }: HostUnderTest,
  { isPlayed = false }: PagesOptions = {},
): Trial[] => {
  const trial = (path: string, hold: Trial['hold']): Trial => ({
    host: title,
    request: path,
    hold,
  });
  const pages = ASKED.filter(([path]) => !isPlayed || /\/(?:[?].*)?$/.test(path)).map(
    ([path, file, type]) =>
      trial(path, async (compare) => {
        const { status, headers, body } = await ask({ path: `${site.basePath}${path}` });
        compare('status', status, 200);
        compare('content-type', headers['content-type'], type);
        compare('body', body, readFileSync(join(site.output, site.basePath, file)));
      }),
  );
  const documents = [['/content/posts/', 200] as const, ['/content/nothing/', 404] as const].map(
    ([path, expected]) =>
      trial(path, async (compare) => {
        const { status, headers } = await ask({ path: `${site.basePath}${path}` });
        compare('status', status, expected);
        compare('content-type', headers['content-type'], JSON_TYPE);
      }),
  );
  const posted = trial('POST /content/', async (compare) => {
    const { status } = await ask({ method: 'POST', path: `${site.basePath}/content/` });
    compare('status', status, 404);
  });
  return [...pages, ...documents, ...(isPlayed ? [] : [posted])];
};

/** Puts pages beside the interface of hosts that read them from their output, and takes them away again. */
export const holdPages = async (
  hosts: readonly HostUnderTest[],
  options: PagesOptions = {},
): Promise<void> => {
  const places = new Set(hosts.map(({ site }) => site));
  for (const site of places) putPages(site);
  try {
    await holdAll(hosts.flatMap((host) => pageTrials(host, options)));
  } finally {
    for (const site of places) removePages(site);
  }
};
