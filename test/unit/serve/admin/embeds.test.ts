// What an address elsewhere shows: real servers of loopback, which the guard allows by name here.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllowList } from '../../../../src/base/net/addresses.ts';
import { createHttpClient } from '../../../../src/base/net/http-client.ts';
import { readEmbed } from '../../../../src/serve/admin/embeds/read-embed.ts';

const open = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const toolsOf = (allowed: readonly string[], timeoutMs = 60_000) => {
  const http = createHttpClient({ connections: 1, idleTimeoutMs: 60_000 });
  onTestFinished(() => http.close());
  return { http, guard: { allow: parseAllowList(allowed) }, timeoutMs };
};

const LOOPBACK = ['127.0.0.0/8'];

const PAGE = `<!doctype html><html><head><title>Plain &amp; simple</title><meta property="og:title" content="A &quot;page&quot;">
<meta name="description" content="What it  says"><meta property="og:site_name" content="Example"><meta name="author" content="Ada">
<meta property="og:image" content="/a.png"><link rel="icon" href="javascript:alert(1)"></head><body><title>No</title></body></html>`;

test('a page without an embed is a bookmark', async () => {
  const origin = await open((_request, response) => response.end(PAGE));
  const url = `${origin}/page/`;
  const metadata = {
    ...{ url, title: 'A "page"', description: 'What it says', author: 'Ada', publisher: 'Example' },
    ...{ thumbnail: `${origin}/a.png`, icon: `${origin}/favicon.ico` },
  };
  const bookmark = { version: '1.0', type: 'bookmark', url, metadata };
  expect(await readEmbed({ url, type: undefined }, toolsOf(LOOPBACK))).toEqual(bookmark);
  expect(await readEmbed({ url, type: 'bookmark' }, toolsOf(LOOPBACK))).toEqual(bookmark);
  const embed = readEmbed({ url, type: 'embed' }, toolsOf(LOOPBACK));
  await expect(embed).rejects.toMatchObject({ code: 'VALIDATION' });
});

test('addresses in a page that was moved are read from where it is', async () => {
  const page = `<title>Moved</title><meta property="og:image" content="a.png"><link rel="icon" href="b.png">
    <link type="application/json+oembed" href="oembed">`;
  const video = { type: 'video', version: '1.0', html: '<i></i>', width: 2, height: 1 };
  const origin = await open(({ url }, response) => {
    if (url === '/old') return void response.writeHead(302, { location: '/deep/new/' }).end();
    response.end(url === '/deep/new/oembed' ? JSON.stringify(video) : page);
  });
  const url = `${origin}/old`;
  const icon = `${origin}/deep/new/b.png`;
  expect(await readEmbed({ url, type: 'bookmark' }, toolsOf(LOOPBACK))).toMatchObject({
    metadata: { url, thumbnail: `${origin}/deep/new/a.png`, icon },
  });
  expect(await readEmbed({ url, type: undefined }, toolsOf(LOOPBACK))).toEqual(video);
});

test('a page that names an oEmbed answer is an embed, where that is whole', async () => {
  const html = '<iframe src="https://player.example/1"></iframe>';
  const video = { type: 'video', version: '1.0', html, width: 2, height: 1 };
  const answers: Readonly<Record<string, object>> = {
    '/good': { ...video, title: 'A film', odd: 'dropped', author_name: ['no text'] },
    '/listed': { ...video, html: [html] },
    '/plain': { ...video, html: `${html}<IFRAME src="http://player.example/"></IFRAME>` },
    '/script': { ...video, html: '<iframe src="&#106;avascript:alert(1)"></iframe>' },
    '/frameless': { ...video, html: '<iframe srcdoc="&lt;script>1&lt;/script>"></iframe>' },
    '/bare': { type: 'video', version: '1.0' },
    '/inherited': { ...video, type: 'constructor' },
    '/wordpress': { ...video, html: '<blockquote class="wp-embedded-content"></blockquote>' },
  };
  const origin = await open(({ url = '' }, response) => {
    const answer = answers[url.replace('/oembed', '')];
    const link = `<link rel="alternate" type="application/json+oembed" href="/oembed${url}">`;
    response.end(url.startsWith('/oembed') ? JSON.stringify(answer) : `${PAGE}${link}`);
  });
  const read = (path: string, type?: string) =>
    readEmbed({ url: `${origin}${path}`, type }, toolsOf(LOOPBACK));
  expect(await read('/good')).toEqual({ ...video, title: 'A film' });
  for (const [path, type] of [
    ['/bare'],
    ['/listed'],
    ['/plain'],
    ['/script'],
    ['/frameless'],
    ['/inherited'],
    ['/wordpress'],
    ['/good', 'bookmark'],
  ] as const) {
    expect([path, await read(path, type)]).toMatchObject([path, { type: 'bookmark' }]);
  }
});

test('private addresses are refused, at a redirect and in an oEmbed link, too', async () => {
  const asked: string[] = [];
  const inner = await open(({ url = '' }, response) => {
    asked.push(url);
    response.end(PAGE);
  });
  const outer = await open(({ url }, response) => {
    if (url === '/led') return void response.writeHead(302, { location: `${inner}/secret` }).end();
    response.end(`${PAGE}<link type="application/json+oembed" href="${inner}/oembed">`);
  });
  const [only] = [[outer.replace('http://', '')]];
  for (const url of [`${inner}/secret`, `${outer}/led`, 'file:///etc/passwd', 'no address']) {
    const read = readEmbed({ url, type: undefined }, toolsOf(only));
    await expect(read).rejects.toMatchObject({ code: 'VALIDATION' });
  }
  const linked = await readEmbed({ url: `${outer}/linked`, type: undefined }, toolsOf(only));
  expect(linked).toMatchObject({ type: 'bookmark' });
  expect(asked).toEqual([]);
});

test('a page that never ends is read no further than its head, and one that hangs is given up', async () => {
  const origin = await open(({ url }, response) => {
    if (url === '/hangs') return void response.write('<html>');
    response.write(PAGE);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const endless = readEmbed({ url: `${origin}/endless`, type: 'bookmark' }, toolsOf(LOOPBACK));
  expect(await endless).toMatchObject({ type: 'bookmark' });
  const hanging = readEmbed({ url: `${origin}/hangs`, type: 'bookmark' }, toolsOf(LOOPBACK, 200));
  await expect(hanging).rejects.toMatchObject({ code: 'VALIDATION' });
});
