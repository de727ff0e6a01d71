// Pages for readers on a host: what our rules say of the interface neither hides nor changes them. `/content/` is the page
// about the interface where there is one, and everything below it stays the interface's.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HostUnderTest } from './check-host.ts';
import type { MatrixSite } from './site.ts';

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

export const putPages = ({ output, basePath }: Pick<MatrixSite, 'output' | 'basePath'>): void => {
  for (const [path, text] of Object.entries(PAGES)) {
    const file = join(output, basePath, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
};

export const removePages = ({ output, basePath }: MatrixSite): void => {
  for (const path of Object.keys(PAGES)) rmSync(join(output, basePath, path));
};

const XML = /^(?:application|text)\/(?:[a-z-]+\+)?xml(?:;|$)/i;

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
export const checkPages = (
  get: () => HostUnderTest,
  { isPlayed = false }: PagesOptions = {},
): void => {
  describe('pages for readers', () => {
    const asked = ASKED.filter(([path]) => !isPlayed || /\/(?:[?].*)?$/.test(path));
    test.each(asked)('%s is the page', async (path, file, type) => {
      const { site, ask } = get();
      const answer = await ask({ path: `${site.basePath}${path}` });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(type);
      const bytes = readFileSync(join(site.output, site.basePath, file));
      expect(answer.body.equals(bytes)).toBe(true);
    });

    test('a page sent as JSON, or a document as a page, is none: the list beside it stays', async () => {
      const { site, ask } = get();
      const { status, headers } = await ask({ path: `${site.basePath}/content/posts/` });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const absent = await ask({ path: `${site.basePath}/content/nothing/` });
      expect([absent.status, absent.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    });

    test.skipIf(isPlayed)('nothing is posted to the page', async () => {
      const { site, ask } = get();
      const posted = await ask({ method: 'POST', path: `${site.basePath}/content/` });
      expect(posted.status).toBe(404);
    });
  });
};
