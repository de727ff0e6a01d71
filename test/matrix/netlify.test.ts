// Netlify's own rule engine over the generated rules. The server around it is played here: files are sent
// as they are, else the first rule's target is, with the headers of `_headers`.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import redirector from 'netlify-redirector';
import { describe, expect, test } from 'vitest';
import { countRedirects, netlifyFiles } from '../../src/publish/hosts/netlify/files.ts';
import type { Answer, Ask, Asked } from './ask.ts';
import { hostTrials } from './check-host.ts';
import { holdPages } from './check-pages.ts';
import type { Request } from './conformance.ts';
import { fileAt } from './file-at.ts';
import { hostSiteOf } from './host-site.ts';
import { startHosts } from './hosts-of-file.ts';
import { isClosed, rawByteExceptions, ruleExceptions } from './rule-exceptions.ts';
import type { MatrixSite } from './site.ts';
import { holdAll } from './trials.ts';

const headersOf = (text: string, path: string): Record<string, string> => {
  const found: Record<string, string> = {};
  let isMatch = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) {
      isMatch = line.endsWith('*') ? path.startsWith(line.slice(0, -1)) : path === line;
    } else if (isMatch && line.startsWith('  ')) {
      const at = line.indexOf(':');
      found[line.slice(2, at).toLowerCase()] = line.slice(at + 2);
    }
  }
  return found;
};

const exceptions = (request: Request): string | null => {
  const { path, column, expected } = request;
  if (expected.kind === 'redirect') return 'Netlify serves an address without its slash';
  if (rawByteExceptions(request) !== null) return rawByteExceptions(request);
  if (isClosed(request)) return 'Netlify sends a file before it reads rules';
  if (path === '/content') return 'its headers are of what lies below';
  if (expected.kind === 'absent')
    return request.method === 'GET' || request.method === 'HEAD'
      ? null
      : 'Netlify answers 405 by itself';
  if (/[|"]/.test(path)) return 'Netlify compares paths in the spelling of encodeURIComponent';
  if (column === 'decoding') return ruleExceptions(request) ?? 'Netlify compares whole values';
  return /xtags,|tiers|page=02|tags&$/.test(path) ? 'Netlify compares whole values' : null;
};

/** Those that Netlify sends by itself. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
  txt: 'text/plain; charset=UTF-8',
  bin: 'application/octet-stream',
};

const startAsking = async (site: MatrixSite): Promise<Ask> => {
  const [redirects, headers] = netlifyFiles(hostSiteOf(site));
  const rules = await redirector.parsePlain(redirects?.text ?? '', {});
  return async ({ method = 'GET', path: address, headers: sent = {} }: Asked): Promise<Answer> => {
    const [path = '', query = ''] = address.split('?');
    const own = headersOf(headers?.text ?? '', path);
    const empty = Buffer.alloc(0);
    if (method === 'OPTIONS') return { status: 200, headers: own, body: empty };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: own, body: empty };
    const match = rules.match({
      scheme: 'https',
      host: 'site.test',
      path,
      query,
      headers: {},
      getHeader: () => '',
      getCookie: () => '',
    });
    const page = path.endsWith('/') ? fileAt(site, `${path}index.html`) : null;
    const file =
      page ??
      fileAt(site, path) ??
      (match === null || match.status !== 200 ? null : fileAt(site, match.to));
    const body = file ?? readFileSync(join(site.content, '404.json'));
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const ownType = TYPES[page === null ? (path.split('.').at(-1) ?? '') : 'html'];
    const type = file !== null && ownType !== undefined ? { 'content-type': ownType } : {};
    const all = { 'content-type': 'application/json; charset=utf-8', ...own, ...type, etag };
    if (sent['if-none-match'] === etag) return { status: 304, headers: all, body: empty };
    return {
      status: file === null ? 404 : 200,
      headers: all,
      body: method === 'HEAD' ? empty : body,
    };
  };
};

describe("Netlify's rule engine", () => {
  const start = async (site: MatrixSite) => ({ ask: await startAsking(site) });
  const hosts = startHosts([
    { title: 'rules', start },
    { title: 'rules', basePath: '/blog', start },
  ]);

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          exceptions,
          missingHeaders: ['no file'],
          otherCaching: Object.fromEntries(
            ['absent', 'blob'].map((kind) => [kind, 'its headers know no status']),
          ),
        }),
      ),
    ));

  test('pages for readers', () => holdPages(hosts(), { isPlayed: true }));

  test('the rules stay far below the advised number', () => {
    for (const { site } of hosts())
      expect(countRedirects(netlifyFiles(hostSiteOf(site)))).toBeLessThan(2_000);
  });
});
