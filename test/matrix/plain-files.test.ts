// Hosts that read no queries: GitHub Pages and the like, played by a server of files, and GitLab Pages,
// whose rules are Netlify's and run in its engine. Neither has a program that answers without its network.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import redirector from 'netlify-redirector';
import { beforeAll, describe, expect, test } from 'vitest';
import { gitlabPagesFiles } from '../../src/publish/hosts/gitlab-pages/files.ts';
import { countRedirects } from '../../src/publish/hosts/netlify/files.ts';
import { writeCopies } from '../../src/publish/hosts/placing/write-host.ts';
import { basedOn, unescaped } from './check-host.ts';
import { putPages } from './check-pages.ts';
import { REQUESTS, type Request } from './conformance.ts';
import { fileAt } from './file-at.ts';
import { hostSiteOf } from './host-site.ts';
import { isStoredElsewhere, toOneVariant } from './one-variant.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { holdAll, type Trial } from './trials.ts';

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

const withNames = (text: string): string => basedOn(site, text);

const fileOf = ({ expected }: Document): string =>
  readFileSync(join(site.content, withNames(expected.file)), 'utf8');

const trialsOf = (
  host: string,
  isAsked: (request: Document) => boolean,
  show: (request: Document) => { readonly got: string | null; readonly expected: string | null },
): Trial[] =>
  DOCUMENTS.filter(isAsked).map((request) => ({
    host,
    request: request.path,
    hold: (compare) => {
      const { got, expected } = show(request);
      compare(request.expected.file, got, expected);
    },
  }));

/** The file at a path, or the index of the folder there. */
const shownAt = (path: string): string | null => {
  const [name = ''] = path.split('?');
  return fileAt(site, name.endsWith('/') ? `${name}index.html` : name)?.toString() ?? null;
};

describe('files as they are', () => {
  test('documents', () =>
    holdAll(
      trialsOf(
        'files',
        ({ path }) => !path.startsWith('/ghost'),
        (request) => {
          const got = shownAt(withNames(request.path));
          return {
            got: got === null ? null : unescaped(got),
            expected: isStoredElsewhere(request) ? null : fileOf(request),
          };
        },
      ),
    ));

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

  test('documents', () =>
    holdAll(
      // Paths are compared in the spelling of encodeURIComponent.
      trialsOf(
        'GitLab Pages',
        ({ path }) => !/[|"]/.test(path),
        (request) => {
          const path = withNames(request.path.split('?')[0] ?? '');
          const found = path.endsWith('.json') ? path : target(path);
          return { got: found === null ? null : shownAt(found), expected: fileOf(request) };
        },
      ),
    ));

  test('leave pages to their files', () => {
    expect(['/content/', '/about-us/', '/feed.rss'].map(target)).toEqual([null, null, null]);
  });

  test('are fewer than it takes', () => {
    expect(countRedirects(gitlabPagesFiles(hostSiteOf(site)))).toBeLessThan(200);
  });
});
