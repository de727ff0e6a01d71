// The modules of examples/ that read the content interface: all pages of a list, and an error that says what to set when
// the key is refused or nothing answers. Each example keeps its keys and what it builds out of a repository.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const MODULES = ['next/lib/content.js'];
const KEY = '22444f78447824223cefc48062';

type Content = { readonly readAll: (resource: string) => Promise<readonly number[]> };

/** The module with its variables; it reads them when it is loaded. */
const load = async (file: string, url: string, key: string): Promise<Content> => {
  vi.resetModules();
  vi.stubEnv('CONTENT_URL', url);
  vi.stubEnv('CONTENT_KEY', key);
  return (await import(join(EXAMPLES, file))) as Content;
};

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Two pages of posts for whoever has the key. */
const startContent = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (searchParams.get('key') !== KEY) return response.writeHead(403).end('{}');
    const page = Number(searchParams.get('page'));
    const next = page === 1 ? 2 : null;
    return response.end(JSON.stringify({ posts: [page], meta: { pagination: { next } } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test.each(MODULES)('%s reads every page, and says what to set', async (file) => {
  const url = await startContent();
  const content = await load(file, url, KEY);
  expect(await content.readAll('posts')).toEqual([1, 2]);
  const keyless = await load(file, url, '');
  await expect(keyless.readAll('posts')).rejects.toThrow(
    `403 from ${url}: set CONTENT_KEY, which "npx prepress status --secrets" prints.`,
  );
  // Port 1 is closed: nobody listens there.
  const alone = await load(file, 'http://127.0.0.1:1', KEY);
  await expect(alone.readAll('posts')).rejects.toThrow(
    'No answer from http://127.0.0.1:1: start Prepress there, or set CONTENT_URL.',
  );
});

test.each([
  ['astro', '/dist/'],
  ['eleventy', '/public/'],
  ['next', '/out/'],
])('a copy of examples/%s commits no key', (name, built) => {
  const ignored = readFileSync(join(EXAMPLES, name, '.gitignore'), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['node_modules/', '/data/', '/media/', built]));
});
