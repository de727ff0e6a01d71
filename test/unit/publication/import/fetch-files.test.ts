// Files of a site are fetched whole or not at all, within limits, from hosts that may be reached, and once.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAllowList } from '../../../../src/base/net/addresses.ts';
import {
  type FetchInput,
  fetchFiles,
} from '../../../../src/publication/import/images/fetch-files.ts';
import { createFileFinder } from '../../../../src/publication/import/images/named-files.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let asked: string[] = [];
let answer: RequestListener;
let site = '';
let to = '';
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  answer(request, response);
});

beforeEach(async () => {
  asked = [];
  answer = (request, response) => {
    response.setHeader('content-type', 'image/png');
    response.end(`bytes of ${request.url}`);
  };
  to = join(temporaryFolder(), 'media');
  if (!server.listening) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LIMITS = { fileBytesMax: 1_000, bytesMax: 100_000, filesMax: 1_000 };

const fetchAll = (paths: readonly string[], input: Partial<FetchInput> = {}) =>
  fetchFiles({
    from: site,
    paths,
    to,
    guard: { allow: parseAllowList(['127.0.0.1']) },
    limits: LIMITS,
    sleep: async () => undefined,
    ...input,
  });

const reasons = ({ skipped }: Awaited<ReturnType<typeof fetchFiles>>): string[] =>
  skipped.map(({ path, reason }) => `${path} ${reason}`).sort();

/** Hidden files and folders, too. */
const names = (): string[] =>
  readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(to.length + 1))
    .sort();

test('files are fetched into their places, under the names that rows spell', async () => {
  const paths = ['images/2026/01/a.png', 'images/ü b.png', 'media/m.mp4', 'files/f.pdf'];
  expect(await fetchAll(paths)).toEqual({ copied: 4, unchanged: 0, skipped: [] });
  expect(names()).toEqual([...paths].sort());
  expect(readFileSync(join(to, 'images/2026/01/a.png'), 'utf8')).toBe(
    'bytes of /content/images/2026/01/a.png',
  );
  expect(asked).toContain('/content/images/%C3%BC%20b.png');
  expect(statSync(join(to, 'images/2026/01/a.png')).mode & 0o777).toBe(0o444);
});

test('what stands there is not fetched again, whatever the site has now', async () => {
  mkdirSync(join(to, 'images'), { recursive: true });
  writeFileSync(join(to, 'images/a.png'), 'mine');
  mkdirSync(join(to, 'images/b.png'));
  const report = await fetchAll(['images/a.png', 'images/b.png', 'images/c.png']);
  expect(report).toMatchObject({ copied: 1, unchanged: 1 });
  expect(reasons(report)).toEqual([
    'images/b.png cannot be placed: something else of that name stands there',
  ]);
  expect(asked).toEqual(['/content/images/c.png']);
  expect(readFileSync(join(to, 'images/a.png'), 'utf8')).toBe('mine');
});

test('a run that broke off leaves no part of a file, and the next one goes on', async () => {
  mkdirSync(join(to, '.prepress-fetch-old'), { recursive: true });
  writeFileSync(join(to, '.prepress-fetch-old/part'), 'p');
  const paths = Array.from({ length: 100 }, (_, index) => `images/${index}.png`);
  let count = 0;
  const stop = new Error('stopped');
  await expect(
    fetchAll(paths, {
      onFile: () => {
        count += 1;
        if (count === 60) throw stop;
      },
    }),
  ).rejects.toBe(stop);
  const kept = names();
  expect(kept.length).toBeGreaterThanOrEqual(40);
  expect(kept.filter((name) => name.startsWith('.'))).toEqual([]);
  for (const name of kept) {
    expect(readFileSync(join(to, name), 'utf8')).toBe(`bytes of /content/${name}`);
  }
  asked = [];
  expect(await fetchAll(paths)).toMatchObject({ copied: 100 - kept.length });
  expect(asked).toHaveLength(100 - kept.length);
  expect(names()).toHaveLength(100);
});

test('what breaks off is tried again, and then named; nothing of it is kept', async () => {
  let tries = 0;
  answer = (request, response) => {
    if (request.url?.endsWith('good.png')) {
      response.end('good');
      return;
    }
    tries += 1;
    response.writeHead(200, { 'content-length': '500' });
    response.write('part');
    setImmediate(() => response.destroy());
  };
  const report = await fetchAll(['images/cut.png', 'images/good.png']);
  expect(reasons(report)).toEqual(['images/cut.png broke off (ANSWER_CUT)']);
  expect(tries).toBe(3);
  expect(names()).toEqual(['images/good.png']);
});

test('limits hold for each file, with a length and without, and for all', async () => {
  answer = (request, response) => {
    const isTold = request.url?.includes('told');
    const bytes = Buffer.alloc(request.url?.includes('small') ? 400 : 2_000);
    if (isTold) response.setHeader('content-length', bytes.length);
    response.write(bytes);
    response.end();
  };
  const large = await fetchAll(['images/told.png', 'images/stream.png']);
  expect(reasons(large)).toEqual([
    'images/stream.png has more than 1000 bytes',
    'images/told.png has more than 1000 bytes',
  ]);
  expect(asked).toHaveLength(2);
  const one = { ...LIMITS, fileBytesMax: 10_000, bytesMax: 900 };
  expect(reasons(await fetchAll(['images/one.png'], { limits: one }))).toEqual([
    'images/one.png is beyond the limit of all bytes (images.megabytes)',
  ]);
  const small = Array.from({ length: 30 }, (_, index) => `images/small-${index}.png`);
  const all = await fetchAll(small, { limits: { ...LIMITS, bytesMax: 2_000 } });
  expect(all.copied).toBeLessThanOrEqual(5);
  expect(reasons(all).join()).toContain('beyond the limit of all bytes');
  expect(names()).toHaveLength(all.copied);
});

test('a limit of files counts what is fetched, so that each run goes further', async () => {
  answer = (request, response) => {
    response.statusCode = request.url?.includes('absent') ? 404 : 200;
    response.end('bytes');
  };
  const absent = Array.from({ length: 8 }, (_, index) => `images/absent-${index}.png`);
  const there = Array.from({ length: 10 }, (_, index) => `images/${index}.png`);
  const limits = { ...LIMITS, filesMax: 4 };
  const copied: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const report = await fetchAll([...absent, ...there], { limits });
    copied.push(report.copied);
    const beyond = reasons(report).filter((reason) => reason.endsWith(' (images.files)'));
    expect(beyond).toHaveLength(there.length - report.copied - report.unchanged);
  }
  expect(copied).toEqual([4, 4, 2]);
});

test('redirects are followed a few times, to hosts that may be reached', async () => {
  answer = (request, response) => {
    const { port } = server.address() as AddressInfo;
    const targets: Record<string, string> = {
      '/content/images/moved.png': '/elsewhere.png',
      '/content/images/inner.png': `http://127.0.0.2:${port}/elsewhere.png`,
      '/content/images/local.png': `http://localhost:${port}/elsewhere.png`,
      '/content/images/file.png': 'file:///etc/passwd',
      '/content/images/round.png': '/content/images/round.png',
    };
    const location = targets[request.url ?? ''];
    if (location === undefined) response.end('elsewhere');
    else response.writeHead(302, { location }).end();
  };
  const report = await fetchAll(
    ['moved', 'inner', 'local', 'file', 'round'].map((name) => `images/${name}.png`),
    { guard: { allow: parseAllowList(['127.0.0.1/32']), resolve: async () => ['127.0.0.3'] } },
  );
  expect(names()).toEqual(['images/moved.png']);
  expect(reasons(report)).toEqual([
    expect.stringMatching(/^images\/file.png is not fetched: .*http/),
    expect.stringMatching(/^images\/inner.png is not fetched: .*private/),
    expect.stringMatching(/^images\/local.png is not fetched: .*private/),
    'images/round.png is redirected more than 5 times',
  ]);
  expect(asked.filter((path) => path === '/elsewhere.png')).toHaveLength(1);
});

test('a private host is refused unless it is allowed', async () => {
  const report = await fetchAll(['images/a.png'], { guard: { allow: parseAllowList([]) } });
  expect(reasons(report)[0]).toContain('"webhookAllow": [');
  expect(asked).toEqual([]);
});

test('only an address that was judged is connected to', async () => {
  // No name server knows the name: who asks again finds nothing.
  const from = site.replace('127.0.0.1', 'site.test');
  const guard = { allow: parseAllowList(['127.0.0.1']), resolve: async () => ['127.0.0.1'] };
  const report = await fetchAll(['images/a.png'], { from, guard });
  expect(report).toEqual({ copied: 1, unchanged: 0, skipped: [] });
});

test('a page in place of a picture is not taken, and an absent picture is named', async () => {
  answer = (request, response) => {
    response.statusCode = request.url?.includes('absent') ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<html>');
  };
  const report = await fetchAll(['images/a.png', 'images/absent.png', 'files/page.html']);
  expect(reasons(report)).toEqual([
    'images/a.png is a page, not a file',
    'images/absent.png is not there (404)',
  ]);
  expect(names()).toEqual(['files/page.html']);
});

test('rows name files below the site, and no other place', () => {
  const finder = createFileFinder({ sites: ['https://site.test/blog'], filesMax: 100 });
  const html = [
    '<img src="__GHOST_URL__/content/images/a.png" srcset="__GHOST_URL__/content/images/size/w600/a.png 600w, __GHOST_URL__/content/images/size/w1000/a.png 1000w">',
    "<a href='https://site.test/blog/content/files/2026/b%20c.pdf?download=1#p'>",
    '<video src="/content/media/v.mp4"></video>',
    '<img src="https://other.test/content/images/not.png">',
    '<p style="background: url(&quot;__GHOST_URL__/content/images/bg.jpg&quot;)">',
    '<img src="__GHOST_URL__/content/images/c(1).jpg"> url(/content/images/d.jpg) [(/content/images/e(2).jpg)]',
    '<img src="__GHOST_URL__/content/images/f.jpg(1">',
    '<img src="__GHOST_URL__/content/images/../../../etc/passwd">',
    '<img src="__GHOST_URL__/content/images/%2e%2e%2fpasswd">',
    '<img src="__GHOST_URL__/content/images/.hidden.png">',
    '<a href="__GHOST_URL__/content/images/">',
    '<a href="__GHOST_URL__/content/themes/x.css">',
    `<img src="__GHOST_URL__/content/images/it's.png" srcset='/content/images/g.png 1x, /content/images/h.png'>`,
    "<p style='background: url(__GHOST_URL__/content/images/i&#39;s.png)'>",
    '<p style="background: url(&#39;__GHOST_URL__/content/images/j.png&#39;)">',
    '<img src="/content/images/e%CC%81.png"><img src="/content/images/%C3%A9.png">',
  ].join('');
  finder.read(
    JSON.stringify({
      html,
      feature_image: '__GHOST_URL__/content/images/_DSC 1.jpg'.replace(' ', '%20'),
    }),
  );
  finder.read(JSON.stringify({ key: 'icon', value: '__GHOST_URL__/content/images/icon.png' }));
  expect([...finder.found.paths]).toEqual([
    'images/a.png',
    'images/size/w600/a.png',
    'images/size/w1000/a.png',
    'files/2026/b c.pdf',
    'media/v.mp4',
    'images/bg.jpg',
    'images/c(1).jpg',
    'images/d.jpg',
    'images/e(2).jpg',
    'images/f.jpg',
    "images/it's.png",
    'images/g.png',
    'images/h.png',
    "images/i's.png",
    'images/j.png',
    'images/e\u0301.png',
    'images/\u00e9.png',
    'images/_DSC 1.jpg',
    'images/icon.png',
    'images/size/w256h256/icon.png',
  ]);
  expect(finder.found.refused.size).toBe(3);
  const few = createFileFinder({ sites: [], filesMax: 1 });
  few.read(JSON.stringify({ html }));
  expect(few.found.paths.size).toBe(1);
  expect(few.found.left()).toBeGreaterThan(3);
});

test('nothing to fetch leaves a folder without files', async () => {
  await fetchAll([]);
  expect(readdirSync(to)).toEqual([]);
});
