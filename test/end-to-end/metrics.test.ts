// A scrape of a running server: what it did stands in its metrics.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listener, listenForDeliveries } from '../battery/listener.ts';
import { type Server, startServer } from '../battery/server.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { parseScrape } from '../helpers/scrape.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const folder = suiteFolder();
let server: Server;
let listener: Listener;

beforeAll(async () => {
  await prepress(folder.path, ['init', '--empty', '--site-url', 'https://site.test']);
  server = await startServer(folder.path, { environment: { PREPRESS_METRICS: '127.0.0.1:0' } });
  listener = await listenForDeliveries();
});

afterAll(async () => {
  await server.end();
  await listener.close();
  folder.remove();
});

/** The log may lag behind the rest. */
const findUrl = () =>
  eventually(() => {
    const [, url] = /"url":"([^"]+)","msg":"metrics"/.exec(server.log()) ?? [];
    if (url === undefined) throw new Error(`No metrics in the log: ${server.log()}`);
    return url;
  });

test('builds, deliveries, requests and memory stand in a scrape', async () => {
  const url = await findUrl();
  const before = parseScrape(await (await fetch(url)).text());
  await listener.subscribe(server, 'post.published');
  await listener.subscribe(server, 'tag.added', '/down');
  listener.respond = (response, { path }) => response.writeHead(path === '/down' ? 500 : 200).end();
  const post = { title: 'Counted', status: 'published', tags: ['New'] };
  await server.admin('POST', '/posts/', { posts: [post] });
  await eventually(async () => {
    const { value } = parseScrape(await (await fetch(url)).text());
    const builds = (scrape: typeof value) => scrape('prepress_builds_total{result="changed"}') ?? 0;
    expect(builds(value)).toBeGreaterThan(builds(before.value));
    expect(value('prepress_generation')).toBeGreaterThan(before.value('prepress_generation') ?? 0);
    expect(value('prepress_announced_generation')).toBe(value('prepress_generation'));
    expect(value('prepress_delivery_attempts_total{result="success"}')).toBe(1);
    expect(value('prepress_delivery_attempts_total{result="failure"}')).toBe(1);
    expect(value('prepress_deliveries{state="done"}')).toBe(1);
    expect(value('prepress_deliveries{state="pending"}')).toBe(1);
    const created = 'area="admin",method="POST",code="201"';
    expect(value(`prepress_http_requests_total{${created}}`)).toBe(3);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  });
});
