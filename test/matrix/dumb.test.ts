// Hosts that read no queries: GitHub Pages and the like, played by a server of files, and GitLab Pages,
// whose rules are Netlify's and run in its engine. Neither has a program that answers without its network.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import redirector from 'netlify-redirector';
import { beforeAll, describe, expect, test } from 'vitest';
import { countRedirects, gitlabPagesFiles } from '../../src/hosts/gitlab-pages/files.ts';
import { writeCopies } from '../../src/hosts/write-host.ts';
import { putPages } from './check-pages.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { fileAt } from './file-at.ts';
import { hostSiteOf } from './host-site.ts';
import { isStoredElsewhere, toOneVariant } from './one-variant.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';

type Document = Request & {
  readonly expected: { readonly kind: 'document'; readonly file: string };
};

const DOCUMENTS = REQUESTS.filter(
  (request) =>
    request.method === 'GET' && request.column === 'every' && rawByteExceptions(request) === null,
)
  .map(toOneVariant)
  .filter((request): request is Document => request.expected.kind === 'document');

let site: MatrixSite;

beforeAll(async () => {
  site = await buildMatrixSite();
  await writeCopies(hostSiteOf(site), dirname(site.output), { asked: true });
  return () => site.remove();
});

const withNames = (text: string): string =>
  text.replace(/\{([^}]+)\}/g, (_, slug: string) => site.segmentOf(slug));

/** The file at a path, or the index of the folder there. */
const shownAt = (path: string): string | null => {
  const [name = ''] = path.split('?');
  return fileAt(site, name.endsWith('/') ? `${name}index.html` : name)?.toString() ?? null;
};

describe('files as they are', () => {
  test.each(DOCUMENTS.filter(({ path }) => !path.startsWith('/ghost')))('$path', (request) => {
    const bytes = isStoredElsewhere(request)
      ? null
      : readFileSync(join(site.content, withNames(request.expected.file)), 'utf8');
    expect(shownAt(withNames(request.path))).toBe(bytes);
  });

  test('a page for readers stays one, at `/content/` too', () => {
    putPages(site);
    for (const file of ['content/index.html', 'about-us/index.html']) {
      const page = readFileSync(join(site.output, file), 'utf8');
      expect(page).toMatch(/^<!DOCTYPE html>/);
      expect(shownAt(`/${file.replace('index.html', '')}`)).toBe(page);
    }
  });

  test('what is absent gets the bytes of 404.json, where hosts look for them', () => {
    expect(shownAt('/404.html')).toBe(readFileSync(join(site.content, '404.json'), 'utf8'));
  });
});

describe('rules of GitLab Pages', () => {
  let target: (path: string) => string | null;

  beforeAll(async () => {
    const rules = await redirector.parsePlain(
      gitlabPagesFiles(hostSiteOf(site))[0]?.text ?? '',
      {},
    );
    target = (path) => {
      const none = { headers: {}, getHeader: () => '', getCookie: () => '' };
      const asked = { scheme: 'https', host: 'site.test', path, query: '', ...none };
      const match = rules.match(asked);
      return match === null || match.status !== 200 ? null : match.to;
    };
  });

  // Paths are compared in the spelling of encodeURIComponent.
  test.each(DOCUMENTS.filter(({ path }) => !/[|"]/.test(path)))('$path', (request) => {
    const path = withNames(request.path.split('?')[0] ?? '');
    const found = path.endsWith('.json') ? path : target(path);
    const shown = found === null ? null : shownAt(found);
    expect(shown).toBe(readFileSync(join(site.content, withNames(request.expected.file)), 'utf8'));
  });

  test.each(['/content/', '/about-us/', '/feed.rss'])('leave the page %s to its file', (path) => {
    expect(target(path)).toBeNull();
  });

  test('are fewer than it takes', () => {
    expect(countRedirects(gitlabPagesFiles(hostSiteOf(site)))).toBeLessThan(200);
  });
});
