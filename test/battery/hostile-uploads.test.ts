// Hostile uploads against the running command: each ends in one answer, with a file that browsers do not run or with
// none, and leaves nothing else behind.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
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
type Case = [what: string, path: string, file: Buffer | Body, name?: string];

const entity = `<!DOCTYPE svg [<!ENTITY a "${many('a', 1000)}"><!ENTITY b "${many('&a;', 1000)}">]>`;
const svgText = svgOf('').toString();

const REFUSED: Case[] = [
  ['html as a picture', 'images', HTML],
  ['html after a byte order mark', 'images', joined(Buffer.from([0xef, 0xbb, 0xbf]), HTML)],
  ['html as another file', 'files', HTML],
  ['html that calls itself SVG', 'images', HTML, 'a.svg'],
  ['a script', 'images', Buffer.from('alert(1)'), 'a.js'],
  ['nothing', 'images', Buffer.alloc(0)],
  ['zeros', 'images', Buffer.alloc(100_000)],
  ['half a signature', 'images', PNG.subarray(0, 4)],
  ['a PDF as a picture', 'images', PDF],
  ['a video as a picture', 'images', MP4],
  ['a picture as a video', 'media', PNG],
  ['an SVG as a video', 'media', svgOf('')],
  ['a zip as a picture', 'images', Buffer.from('504b0304140000000000', 'hex')],
  ['gzipped SVG', 'images', gzipSync(svgOf('<rect/>')), 'a.svgz'],
  ['a program', 'images', Buffer.from(`7f454c46${many('00', 200)}`, 'hex')],
  ['WebAssembly', 'files', Buffer.from('0061736d01000000', 'hex')],
  ['Flash', 'files', Buffer.from('46575309000000000000', 'hex')],
  ['plain XML', 'files', Buffer.from('<?xml version="1.0"?><a/>')],
  [
    'XHTML',
    'files',
    Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
  ],
  ['an SVG with a script', 'images', svgOf('<script>1</script>')],
  [
    'with a script of another prefix',
    'images',
    svgOf('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'),
  ],
  ['with a handler', 'images', svgOf('', 'onload="a()"')],
  ['with a handler in capitals', 'images', svgOf('<g ONCLICK="a()"/>')],
  ['with a foreign object', 'images', svgOf('<foreignObject><p/></foreignObject>')],
  ['with HTML', 'images', svgOf('<p xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['with a link to a script', 'images', svgOf('<a href="java&#10;script:a()"/>')],
  ['with a page as data', 'images', svgOf('<a href="data:text/html,a"/>')],
  ['with an animated link', 'images', svgOf('<set attributeName="href" to="javascript:a()"/>')],
  ['with an iframe', 'images', svgOf('<iframe/>')],
  ['with a style sheet', 'images', Buffer.from(`<?xml-stylesheet href="a"?>${svgText}`)],
  ['with entities of entities', 'images', Buffer.from(`${entity}${svgText}`)],
  [
    'with an entity from outside',
    'images',
    Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svgText}`),
  ],
  ['in UTF-16', 'images', Buffer.from(`\ufeff${svgText}`, 'utf16le')],
  ['in UTF-7', 'images', Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${svgText}`)],
  ['cut off', 'images', svgOf('<g>').subarray(0, -6)],
  ['not well-formed', 'images', svgOf('<g></h>')],
  ['nested a hundred thousand deep', 'images', svgOf(many('<g>', 100_000))],
  [
    'of 150,000 attributes',
    'images',
    svgOf(`<g ${Array.from({ length: 150_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
  ],
  [
    'of 400 namespaces within each other',
    'images',
    svgOf(Array.from({ length: 400 }, (_, at) => `<g xmlns:a${at}="a">`).join('')),
  ],
  ['of an address of 1 MB', 'images', svgOf(`<a href="${many(' a', 500_000)}"/>`)],
  ['of two roots', 'images', joined(svgOf(''), svgOf(''))],
  ['larger than the limit', 'images', joined(PNG, Buffer.alloc(3 * 1024 * 1024))],
  ['an SVG larger than the limit', 'images', svgOf(many('<g/>', 800_000))],
  [
    'an icon of huge sides',
    'images',
    {
      type: FORM,
      body: joined(
        part('content-disposition: form-data; name="purpose"', 'icon'),
        part(FILE, pngOf(60_000, 60_000)),
        END,
      ),
    },
  ],
  [
    'a profile image that is no square',
    'images',
    {
      type: FORM,
      body: joined(
        part('content-disposition: form-data; name="purpose"', 'profile_image'),
        part(FILE, pngOf(1, 65_535)),
        END,
      ),
    },
  ],
  [
    'a profile image of 400,000 parts',
    'images',
    {
      type: FORM,
      body: joined(
        part('content-disposition: form-data; name="purpose"', 'profile_image'),
        part(
          FILE,
          joined(
            JPEG.subarray(0, 20),
            Buffer.from(many('ffe10002', 400_000), 'hex'),
            JPEG.subarray(20),
          ),
        ),
        END,
      ),
    },
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
  [
    'no file',
    'images',
    { type: FORM, body: joined(part('content-disposition: form-data; name="ref"', 'r'), END) },
  ],
  ['two files', 'images', { type: FORM, body: joined(part(FILE), part(FILE), END) }],
  [
    'a thousand fields',
    'images',
    {
      type: FORM,
      body: joined(
        ...Array.from({ length: 1000 }, (_, at) =>
          part(`content-disposition: form-data; name="f${at}"`, 'x'),
        ),
        part(FILE),
        END,
      ),
    },
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

const token = (): Promise<string> => {
  const [id = '', secret = ''] = readFileSync(join(suite.path, 'data/admin-key'), 'utf8')
    .trim()
    .split(':');
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: id, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('4m')
    .setAudience('/admin/')
    .sign(Buffer.from(secret, 'hex'));
};

const send = async ([, path, file, name = 'a.png']: Case): Promise<Response> => {
  const form = new FormData();
  if (Buffer.isBuffer(file)) form.append('file', new Blob([new Uint8Array(file)]), name);
  return fetch(`${server.url}/admin/${path}/upload/`, {
    method: 'POST',
    body: Buffer.isBuffer(file) ? form : new Uint8Array(file.body),
    headers: {
      authorization: `Ghost ${await token()}`,
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
