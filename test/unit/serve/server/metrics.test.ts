// Metrics: their form, what of requests is counted, and that the public address never leads to them.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { countRequests } from '../../../../src/serve/server/metrics/count-requests.ts';
import { createMetrics, type Metrics } from '../../../../src/serve/server/metrics/metrics.ts';
import { listenForScrapes } from '../../../../src/serve/server/metrics/metrics-listener.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { parseScrape } from '../../../helpers/scrape.ts';
import { serve } from './harness.ts';

const scrape = async (metrics: Metrics) => parseScrape(await metrics.text());

const withMetrics = async () => {
  const tree = { version: () => 'v1', file: () => undefined };
  const served = await serve({ flags: { contentKey: 'optional' }, tree });
  served.put('content/posts/index.json', '{"posts":[]}');
  served.put('content/404.json', '{"errors":[]}');
  const metrics = createMetrics();
  onTestFinished(countRequests(served.app.server, '', metrics));
  return { ...served, metrics };
};

test('each metric has a help, a type, a name by the conventions, and its line in docs/metrics.md', async () => {
  const { types, names } = await scrape(createMetrics());
  const own = names.filter((name) => name.startsWith('prepress_'));
  expect(own.length).toBeGreaterThan(10);
  for (const name of names) {
    expect([name, name.endsWith('_total')]).toEqual([name, types.get(name) === 'counter']);
  }
  for (const name of own) {
    expect(name).toMatch(/^prepress_[a-z]+(?:_[a-z]+)*$/);
    if (types.get(name) === 'histogram') expect(name).toMatch(/_seconds$/);
  }
  const page = readFileSync('docs/metrics.md', 'utf8');
  expect([...page.matchAll(/^\| `(prepress_\w+)/gm)].map(([, name]) => name).sort()).toEqual(
    own.sort(),
  );
  expect(names).toEqual(
    expect.arrayContaining([
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]),
  );
});

test('requests are counted, kept answers too, under names that no client chooses', async () => {
  const { get, admin, metrics } = await withMetrics();
  for (const path of ['/content/posts/', '/content/posts/', '/ghost/api/content/posts/']) {
    expect((await get(path)).status).toBe(200);
  }
  await get('/content/none/');
  await admin('GET', '/admin/site/');
  await get('/health', { method: 'PROPFIND' });
  await get('/a-name-of-my-own/');
  const sample = (labels: string) => `prepress_http_requests_total{${labels}}`;
  await eventually(async () => {
    const { value } = await scrape(metrics);
    expect(value(sample('area="content",method="GET",code="200"'))).toBe(3);
    expect(value(sample('area="content",method="GET",code="404"'))).toBe(1);
    expect(value(sample('area="admin",method="GET",code="200"'))).toBe(1);
    expect(value(sample('area="health",method="other",code="404"'))).toBe(1);
    expect(value(sample('area="other",method="GET",code="404"'))).toBe(1);
    expect(value('prepress_http_request_duration_seconds_count{area="content"}')).toBe(4);
  });
});

test('a client that leaves before its answer ended is counted as aborted', async () => {
  const metrics = createMetrics();
  const server = createServer(() => socket.destroy());
  onTestFinished(countRequests(server, '', metrics));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /admin/posts/ HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  await eventually(async () => {
    const { value } = await scrape(metrics);
    const labels = 'area="admin",method="POST",code="aborted"';
    expect(value(`prepress_http_requests_total{${labels}}`)).toBe(1);
  });
});

test('a state that cannot be read is left out, and the rest is told', async () => {
  const metrics = createMetrics();
  metrics.readFrom({
    generation: () => 7,
    announcedGeneration: () => Promise.reject(new Error('locked')),
    deliveries: async () => ({ pending: 2, done: 0, failed: 1 }),
  });
  const { value } = await scrape(metrics);
  expect(value('prepress_generation')).toBe(7);
  expect(value('prepress_announced_generation')).toBeUndefined();
  expect(value('prepress_deliveries{state="pending"}')).toBe(2);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('the listener answers /metrics alone, and the public address does not', async () => {
  const { get, metrics } = await withMetrics();
  const listener = await listenForScrapes({ host: '127.0.0.1', port: 0 }, metrics);
  onTestFinished(() => listener.close().catch(() => undefined));
  const answer = await fetch(listener.url);
  expect(answer.headers.get('content-type')).toBe(metrics.contentType);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  parseScrape(await answer.text());
  expect((await fetch(listener.url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(listener.url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(new URL('/content/posts/', listener.url))).status).toBe(404);
  expect((await get('/metrics')).status).toBe(404);
  await listener.close();
  await expect(fetch(listener.url)).rejects.toThrow();
});
