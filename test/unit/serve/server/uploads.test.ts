// Uploads over HTTP: what is taken is readable at the answer's address at once, what is refused leaves nothing behind.
import { pbkdf2 } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../../../src/serve/server/handlers/upload-handlers.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { GIF, JPEG, MP3, MP4, PDF, pngOf, svgOf, WEBP } from '../../../helpers/upload-files.ts';
import { type Served, serve } from './harness.ts';

const PNG = pngOf(2, 3);
const SVG = svgOf('<rect width="1" height="1"/>');

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly bytes?: Buffer;
  readonly name?: string;
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly thumbnail?: Buffer;
};

type Answer = {
  readonly status: number;
  readonly body: Record<string, readonly Record<string, string | null>[]>;
};

const send = async (server: Served, sent: Sent): Promise<Answer> => {
  const { path = 'images', bytes = PNG, name = 'a.png', type = '', fields = {}, thumbnail } = sent;
  const { method = 'POST' } = sent;
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  if (thumbnail) form.append('thumbnail', new Blob([new Uint8Array(thumbnail)]), 't.png');
  const headers = { authorization: server.authorization() };
  const response = await server.get(`/admin/${path}/upload/`, {
    method,
    body: form,
    headers,
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
};

const urlOf = ({ body }: Answer): string => Object.values(body)[0]?.[0]?.url ?? '';
const problemOf = ({ body }: Answer): string => JSON.stringify(body.errors?.[0]);

let server: Served;
beforeEach(async () => {
  server = await serve({ flags: { 'uploads.imageMegabytesMax': '1' } });
});

/** Names of all files below the media folder and the folder of uploads. */
const kept = (): string[] => {
  const folder = dirname(server.path);
  return ['media', 'uploads']
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
};

test.each([
  ['images', 'PNG', PNG, 'image/png', 'png'],
  ['images', 'JPEG', JPEG, 'image/jpeg', 'jpg'],
  ['images', 'GIF', GIF, 'image/gif', 'gif'],
  ['images', 'WebP', WEBP, 'image/webp', 'webp'],
  ['images', 'SVG', SVG, 'image/svg+xml', 'svg'],
  ['media', 'MP4', MP4, 'video/mp4', 'mp4'],
  ['media', 'MP3', MP3, 'audio/mpeg', 'mp3'],
  ['files', 'PDF', PDF, 'application/pdf', 'pdf'],
  ['files', 'PNG', PNG, 'image/png', 'png'],
])(
  '%s take a %s file and give it the type of its bytes',
  async (path, _what, bytes, type, ending) => {
    const answer = await send(server, { path, bytes, name: 'My Näme.html', fields: { ref: 'r1' } });
    expect(answer).toMatchObject({ status: 201, body: { [path]: [{ ref: 'r1' }] } });
    const url = urlOf(answer);
    expect(url.startsWith(`${server.origin}/content/${path}/`)).toBe(true);
    expect(url).toMatch(new RegExp(`/\\d{4}/\\d\\d/my-name\\.${ending}$`));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(kept()).toHaveLength(1);
  },
);

test('files of one name each have their own, also at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, at) => send(server, { bytes: pngOf(at + 1, 1) })),
  );
  const urls = answers.map(urlOf);
  expect(new Set(urls).size).toBe(5);
  expect(kept()).toEqual(['a-1.png', 'a-2.png', 'a-3.png', 'a-4.png', 'a.png']);
});

test('files of text, and of containers, keep an ending that browsers do not run', async () => {
  const text = Buffer.from('alert(1)');
  const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]);
  const zip = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
  for (const [name, stored, bytes = text] of [
    ['notes.txt', 'notes.txt'],
    ['page.html', 'page.bin'],
    ['run.js', 'run.bin'],
    ['a.php.csv', 'a-php.csv'],
    ['site.yaml', 'site.yaml'],
    ['list.xls', 'list.xls', ole],
    ['list.html', 'list.cfb', ole],
    ['list.numbers', 'list.numbers', zip],
    ['run.js', 'run.zip', zip],
  ] as const) {
    const answer = await send(server, { path: 'files', bytes, name });
    expect(urlOf(answer)).toMatch(new RegExp(`/${stored}$`));
  }
});

test('a thumbnail lies beside its video, sent with it or later', async () => {
  const both = await send(server, { path: 'media', bytes: MP4, name: 'v.mp4', thumbnail: PNG });
  const { url = '', thumbnail_url = '' } = both.body.media?.[0] ?? {};
  expect(thumbnail_url).toBe(url?.replace('v.mp4', 'v_thumb.png'));
  const later = await send(server, {
    path: 'media/thumbnail',
    bytes: GIF,
    fields: { url: url ?? '' },
  });
  expect(later.status).toBe(201);
  expect(urlOf(later)).toBe(url?.replace('v.mp4', 'v_thumb.gif'));
  const put = { method: 'PUT', path: 'media/thumbnail', fields: { url: url ?? '' } };
  const replaced = await send(server, { ...put, bytes: pngOf(9, 9) });
  expect([replaced.status, urlOf(replaced)]).toEqual([200, thumbnail_url]);
  const sent = await (await fetch(urlOf(replaced))).arrayBuffer();
  expect(Buffer.from(sent).equals(pngOf(9, 9))).toBe(true);
  const none = await send(server, {
    path: 'media/thumbnail',
    fields: { url: 'https://x.test/v.mp4' },
  });
  expect(none.status).toBe(422);
});

test('a video whose thumbnail is refused is not kept', async () => {
  const answer = await send(server, { path: 'media', bytes: MP4, name: 'v.mp4', thumbnail: PDF });
  expect(answer.status).toBe(415);
  expect(kept()).toEqual([]);
});

test('a post that is saved with the answered address has the one of the site', async () => {
  const url = urlOf(await send(server, {}));
  const html = `<p><img src="${url}"></p>`;
  const saved = await server.admin('POST', '/admin/posts/?source=html', {
    posts: [{ title: 'P', html, feature_image: url }],
  });
  expect(saved.status).toBe(201);
  const stored = server.shell.prepare('SELECT html, feature_image FROM posts').get() as Record<
    string,
    string
  >;
  expect(stored.feature_image).toMatch(/^__GHOST_URL__\/content\/images\//);
  expect(stored.html).toContain(stored.feature_image);
});

test.each([
  ['a script', '<script>alert(1)</script>', '<script>'],
  ['an event', '<rect onload="alert(1)"/>', 'onload'],
  ['a drawing in an address', '<use href="data:image/svg+xml;base64,AAAA#x"/>', 'href'],
  ['a handler that is set', '<set attributeName="onclick" to="alert(1)"/>', 'set'],
  ['a listener', '<e:listener xmlns:e="http://www.w3.org/2001/xml-events"/>', 'listener'],
])('a drawing with %s is refused, naming it', async (_what, inner, named) => {
  const answer = await send(server, { bytes: svgOf(inner), name: 'a.svg' });
  expect(answer.status).toBe(415);
  expect(problemOf(answer)).toContain(named);
  expect(kept()).toEqual([]);
});

const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(' ');
const attributes = (count: number): string => many(count, (at) => `a${at}=""`);
const namespaces = (count: number): string => many(count, (at) => `xmlns:n${at}="n"`);

test.each([
  ['a long path', `<path d="${'M0 0'.repeat(120_000)}"/>`],
  ['a picture within', `<image href="data:image/png;base64,${'A'.repeat(500_000)}"/>`],
  ['a long text', `<style>${'a{fill:red}'.repeat(60_000)}</style>`],
  ['many attributes', `<g ${attributes(1_000)}/>`],
  ['many elements with namespaces', `<g ${namespaces(48)}/>`.repeat(100)],
])('a drawing with %s is taken', async (_what, inner) => {
  const answer = await send(server, { bytes: svgOf(inner), name: 'a.svg' });
  expect([answer.status, problemOf(answer)]).toEqual([201, undefined]);
});

test.each([
  ['1,001 attributes', `<g ${attributes(1_001)}/>`, '1000 attributes'],
  ['5,000 attributes of a tag that does not end', `<g ${attributes(5_000)}`, '1000 attributes'],
  ['49 namespaces more than the two of the root', `<g ${namespaces(49)}/>`, '50 namespaces'],
  ['namespaces within namespaces', `<g ${namespaces(9)}>`.repeat(50), '50 namespaces'],
  ['too long a path', `<path d="${'M0 0'.repeat(140_000)}"/>`, '512 kB'],
  ['too long a tag', `<g ${many(9, (at) => `a${at}="${'a'.repeat(60_000)}"`)}/>`, '512 kB'],
  ['too long a comment', `<!--${'a'.repeat(600_000)}-->`, '512 kB'],
])('a drawing with %s is refused, saying so', async (_what, inner, named) => {
  const answer = await send(server, { bytes: svgOf(inner), name: 'a.svg' });
  expect([answer.status, problemOf(answer)]).toEqual([415, expect.stringContaining(named)]);
  expect(kept()).toEqual([]);
});

test.each([
  ['has no namespace', Buffer.from('<svg><rect/></svg>')],
  ['is text', Buffer.from('hello')],
  ['is too large', Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])],
])('a picture that %s is refused and leaves nothing', async (_what, bytes) => {
  const answer = await send(server, { bytes, name: 'a.svg', type: 'image/svg+xml' });
  expect([413, 415]).toContain(answer.status);
  expect(problemOf(answer)).toMatch(/"message":"[A-Z][^"]+\."/);
  expect(kept()).toEqual([]);
});

test('a track in XML is refused, saying that an archive may hold it', async () => {
  const bytes = Buffer.from('<?xml version="1.0"?><gpx version="1.1"><trk/></gpx>');
  const answer = await send(server, { path: 'files', bytes, name: 'route.gpx' });
  expect([answer.status, problemOf(answer)]).toEqual([415, expect.stringContaining('.zip file')]);
});

/** A JPEG whose sides come after so many empty parts, of four bytes each. */
const jpegAfter = (parts: number): Buffer =>
  Buffer.concat([
    JPEG.subarray(0, 20),
    Buffer.from('ffe10002'.repeat(parts), 'hex'),
    JPEG.subarray(20),
  ]);

test.each([
  ['icon', pngOf(60, 60), 201],
  ['icon', pngOf(1_000, 1_000), 201],
  ['icon', pngOf(59, 59), 422],
  ['icon', pngOf(1_001, 1_001), 422],
  ['icon', pngOf(100, 99), 422],
  ['icon', GIF, 422],
  ['profile_image', pngOf(8, 8), 201],
  ['profile_image', pngOf(8, 9), 422],
  ['profile_image', pngOf(2 ** 31 - 1, 2 ** 31 - 1), 201],
  ['image', pngOf(8, 9), 201],
  ['profile_image', jpegAfter(100), 201],
  ['profile_image', jpegAfter(131_072), 422],
])('%s: the shape of a picture is checked', async (purpose, bytes, status) => {
  const answer = await send(server, { bytes, fields: { purpose } });
  expect(answer.status).toBe(status);
});

/** The first part of one. */
const beginUpload = (path: string): Socket => {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.write(
    `POST /admin/${path}/upload/ HTTP/1.1\r\nhost: x\r\nauthorization: ${server.authorization()}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  );
  socket.write(PNG);
  return socket;
};

test.each([
  ['destroy', 'images'],
  ['resetAndDestroy', 'images'],
  ['resetAndDestroy', 'members'],
] as const)(
  '%s: an upload to %s that breaks off leaves nothing, and is no fault',
  async (how, path) => {
    const log: { readonly level: number; readonly msg: string; readonly err?: unknown }[] = [];
    const logger = createLogger('info', { write: (line) => log.push(JSON.parse(line)) });
    server = await serve({ logger });
    const socket = beginUpload(path);
    const folder = join(dirname(server.path), 'uploads');
    await eventually(() => expect(existsSync(folder) && readdirSync(folder).length).toBe(1));
    log.length = 0;
    socket[how]();
    await eventually(() => expect(readdirSync(folder).length).toBe(0));
    expect(kept()).toEqual([]);
    await eventually(() => expect(log.length).toBeGreaterThan(0));
    expect(log).toEqual([expect.objectContaining({ level: 30, msg: 'client left' })]);
    expect(log[0]).not.toHaveProperty('err');
  },
);

test('a text in the place of the file is named as that', async () => {
  const form = new FormData();
  form.append('file', 'picture.png');
  const headers = { authorization: server.authorization() };
  const response = await server.get('/admin/images/upload/', {
    method: 'POST',
    body: form,
    headers,
  });
  expect([response.status, await response.text()]).toEqual([
    422,
    expect.stringContaining('holds text: send a file, as curl does with -F file=@PATH.'),
  ]);
});

test('an upload that breaks off before its file is open leaves nothing', async () => {
  const folder = join(dirname(server.path), 'uploads');
  // Until these end, Node.js opens no file in the background.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 50_000, 64, 'sha512'));
  const file = new PassThrough();
  const part = { type: 'file', fieldname: 'file', filename: 'a.png', file };
  const parts = async function* () {
    setImmediate(() => file.destroy(new Error('left')));
    yield part;
  };
  const request = { isMultipart: () => true, raw: {}, parts } as unknown as FastifyRequest;
  const received = receive(request, { folder, kind: 'images', megabytes: 1 }, async () => null);
  await expect(received).rejects.toThrow('incomplete');
  await Promise.all(busy);
  // Answered after what was to be opened.
  await send(server, {});
  expect(kept()).toEqual(['a.png']);
});

test('what is kept is whole in the media folder, and nobody writes into it', async () => {
  const path = new URL(urlOf(await send(server, {}))).pathname.slice('/content/'.length);
  const file = join(dirname(server.path), 'media', path);
  expect(readFileSync(file).equals(PNG)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o444);
});

test.skipIf(process.getuid?.() !== 0)(
  'a folder that the server may not write is 503 with the reason and no path',
  async () => {
    const folder = dirname(server.path);
    const NOBODY = 65_534;
    const media = join(folder, 'media');
    const uploads = join(folder, 'uploads');
    for (const path of [media, uploads]) mkdirSync(path, { recursive: true });
    chmodSync(folder, 0o711);
    const answers: Answer[] = [];
    process.seteuid?.(NOBODY);
    onTestFinished(() => process.seteuid?.(0));
    // What is received cannot be kept at all, then it cannot be kept in the media folder.
    answers.push(await send(server, {}));
    process.seteuid?.(0);
    chownSync(uploads, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
    answers.push(await send(server, {}));
    process.seteuid?.(0);
    for (const { status, body } of answers) {
      expect({ status, ...body.errors?.[0] }).toMatchObject({
        status: 503,
        message: 'The server may not read or write a file that its log names (EACCES).',
        context: expect.stringContaining('permissions'),
      });
      expect(JSON.stringify(body)).not.toContain(folder);
    }
    expect(kept()).toEqual([]);
    chownSync(media, NOBODY, NOBODY);
    expect((await send(server, {})).status).toBe(201);
  },
);
