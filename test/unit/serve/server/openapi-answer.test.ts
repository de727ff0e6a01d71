// The documents of the interface are made once, however often they are asked for.
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createOpenApiAnswer } from '../../../../src/serve/server/pages/openapi-answer.ts';
import { loadConfig } from '../../../../src/settings/load.ts';
import { serve } from './harness.ts';

test('a document is made once for each public address', async () => {
  const made: string[] = [];
  let origin = 'http://127.0.0.1:1';
  const config = loadConfig({ environment: {}, flags: { basePath: '/blog' } });
  const send = createOpenApiAnswer({ config, adminOrigin: () => origin }, ({ serverUrl }) => {
    made.push(serverUrl);
    return { serverUrl };
  });
  const app = Fastify();
  app.get('/', async (_request, reply) => send(reply));
  const ask = () => app.inject('/');
  const bodies = [(await ask()).json(), (await ask()).json()];
  origin = 'https://admin.test';
  bodies.push((await ask()).json(), (await ask()).json());
  expect(made).toEqual(['http://127.0.0.1:1/blog', 'https://admin.test/blog']);
  expect(bodies.map(({ serverUrl }) => serverUrl)).toEqual(made.flatMap((url) => [url, url]));
});

test.each(['/docs/admin.json', '/docs/content.json'])('%s is not sent again', async (path) => {
  const { get, origin } = await serve();
  const first = await get(path);
  expect(JSON.stringify(await first.json())).toContain(origin);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  const again = await get(path, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await get(path)).headers.get('etag')).toBe(etag);
});
