// Hostile uploads against the running command: each ends in one answer, with a file that browsers do not run or with
// none, and leaves nothing else behind. What an SVG may not hold is tried in test/unit/serve/server/uploads.test.ts.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { signToken } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { GIF, JPEG, MP3, MP4, PDF, pngOf, svgOf, WEBP } from '../helpers/upload-files.ts';
import { type Server, startServer } from './server.ts';

const suite = suiteFolder();
let server: Server;
beforeAll(async () => {
  await prepress(suite.path, ['init', '--site-url', 'https://site.test']);
  server = await startServer(suite.path, {
    environment: { PREPRESS_UPLOADS_IMAGE_MEGABYTES_MAX: '2' },
  });
});
afterAll(async () => {
  await server.end();
  suite.remove();
});

const PNG = pngOf(2, 2);
const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');
const joined = (...parts: Buffer[]): Buffer => Buffer.concat(parts);
const many = (text: string, count: number): string => text.repeat(count);
const FORM = 'multipart/form-data; boundary=b';
const part = (head: string, body: Buffer | string = PNG): Buffer =>
  joined(Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n'));
const FILE = 'content-disposition: form-data; name="file"; filename="a.png"';
const END = Buffer.from('--b--\r\n');

type Body = { readonly body: Buffer; readonly type: string };
const form = (...parts: Buffer[]): Body => ({ type: FORM, body: joined(...parts, END) });
type Case = [what: string, path: string, file: Buffer | Body, name?: string];

const entity = `<!DOCTYPE svg [<!ENTITY a "${many('a', 1000)}"><!ENTITY b "${many('&a;', 1000)}">]>`;
const svgText = svgOf('').toString();

const REFUSED: Case[] = [
  ['html as another file', 'files', HTML],
  ['html that calls itself SVG', 'images', HTML, 'a.svg'],
  ['a script', 'images', Buffer.from('alert(1)'), 'a.js'],
  ['zeros', 'images', Buffer.alloc(100_000)],
  ['half a signature', 'images', PNG.subarray(0, 4)],
  ['a video as a picture', 'images', MP4],
  ['a picture as a video', 'media', PNG],
  ['an SVG as a video', 'media', svgOf('')],
  ['a zip as a picture', 'images', Buffer.from('504b0304140000000000', 'hex')],
  ['a program', 'images', Buffer.from(`7f454c46${many('00', 200)}`, 'hex')],
  ['WebAssembly', 'files', Buffer.from('0061736d01000000', 'hex')],
  ['Flash', 'files', Buffer.from('46575309000000000000', 'hex')],
  ['plain XML', 'files', Buffer.from('<?xml version="1.0"?><a/>')],
  ['with a handler in capitals', 'images', svgOf('<g ONCLICK="a()"/>')],
  ['with an iframe', 'images', svgOf('<iframe/>')],
  ['with entities of entities', 'images', Buffer.from(`${entity}${svgText}`)],
  [
    'with an entity from outside',
    'images',
    Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svgText}`),
  ],
  ['not well-formed', 'images', svgOf('<g></h>')],
  ['of two roots', 'images', joined(svgOf(''), svgOf(''))],
  ['larger than the limit', 'images', joined(PNG, Buffer.alloc(3 * 1024 * 1024))],
  ['an SVG larger than the limit', 'images', svgOf(many('<g/>', 800_000))],
  [
    'an icon of huge sides',
    'images',
    form(
      part('content-disposition: form-data; name="purpose"', 'icon'),
      part(FILE, pngOf(60_000, 60_000)),
    ),
  ],
  ['an unfinished form', 'images', { type: FORM, body: part(FILE) }],
  [
    'a form that ends within a head',
    'images',
    { type: FORM, body: Buffer.from('--b\r\ncontent-dis') },
  ],
  ['a form without a boundary', 'images', { type: 'multipart/form-data', body: part(FILE) }],
  [
    'a form of another boundary',
    'images',
    { type: 'multipart/form-data; boundary=c', body: joined(part(FILE), END) },
  ],
  ['an empty form', 'images', { type: FORM, body: END }],
  ['no form', 'images', { type: 'image/png', body: PNG }],
  ['no file', 'images', form(part('content-disposition: form-data; name="ref"', 'r'))],
  ['two files', 'images', form(part(FILE), part(FILE))],
  [
    'a thousand fields',
    'images',
    form(
      ...Array.from({ length: 1000 }, (_, at) =>
        part(`content-disposition: form-data; name="f${at}"`, 'x'),
      ),
      part(FILE),
    ),
  ],
  ['a thumbnail of no video', 'media/thumbnail', PNG],
];

const KEPT: Case[] = [
  ['a picture with html after it', 'images', joined(PNG, HTML), 'a.html'],
  ['a GIF that is a script', 'images', joined(GIF, Buffer.from('/*'), HTML), 'a.js'],
  ['a JPEG with PHP', 'images', joined(JPEG, Buffer.from('<?php ?>')), 'a.php.jpg'],
  ['a picture of huge sides', 'images', pngOf(65_535, 65_535)],
  ['a PDF that is called html', 'files', PDF, 'a.html'],
  ['sound that is called SVG', 'media', MP3, 'a.svg'],
  ['a name with a path', 'images', WEBP, '../../../../etc/passwd'],
  ['a name with NUL', 'images', PNG, 'a\0.php'],
  ['a name of dots', 'images', PNG, '...'],
  ['a name of 10,000 letters', 'images', PNG, many('a', 10_000)],
  ['the name of a device', 'images', PNG, 'con.png'],
  ['html in UTF-16', 'files', Buffer.from(`\ufeff${HTML.toString()}`, 'utf16le')],
  ['a script of text', 'files', Buffer.from('alert(1)'), 'a.js'],
];

const send = async ([, path, file, name = 'a.png']: Case): Promise<Response> => {
  const data = new FormData();
  if (Buffer.isBuffer(file)) data.append('file', new Blob([new Uint8Array(file)]), name);
  return fetch(`${server.url}/admin/${path}/upload/`, {
    method: 'POST',
    body: Buffer.isBuffer(file) ? data : new Uint8Array(file.body),
    headers: {
      authorization: `Ghost ${await signToken(suite.path)}`,
      ...(!Buffer.isBuffer(file) && { 'content-type': file.type }),
    },
  });
};

const filesIn = (folder: string): number => {
  const path = join(suite.path, folder);
  if (!existsSync(path)) return 0;
  return readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    .length;
};

test.each(REFUSED)('%s: refused, and nothing stays', async (...one: Case) => {
  const before = filesIn('media');
  const { status } = await send(one);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  await eventually(() => expect([filesIn('data/uploads'), filesIn('media')]).toEqual([0, before]));
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test.each(KEPT)('%s: a file that browsers do not run', async (...one: Case) => {
  const response = await send(one);
  expect(response.status).toBe(201);
  const answer = (await response.json()) as Record<string, { url: string }[]>;
  const url = Object.values(answer)[0]?.[0]?.url ?? '';
  expect(url).toMatch(
    /\/content\/(?:images|media|files)\/\d{4}\/\d\d\/[a-z0-9_-]{1,110}\.[a-z0-9]+$/,
  );
  const { headers } = await fetch(url);
  expect(headers.get('content-type')).not.toMatch(/html|xml|script|svg/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(filesIn('data/uploads')).toBe(0);
});
