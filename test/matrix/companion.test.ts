// The companion server is held to the list first: what it answers is what every host must.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { createServer } from '../../src/server/create-server.ts';
import { openSecretBox } from '../../src/store/secrets.ts';
import { openStore } from '../../src/store/store.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { REQUESTS } from './conformance.ts';
import {
  buildMatrixSite,
  LONG_SLUG,
  ODD_SLUG,
  PAGE_SIZES,
  RAW_SLUG,
  UNICODE_SLUG,
} from './site.ts';

let running: HostUnderTest & { close: () => Promise<void> };

beforeAll(async () => {
  const site = await buildMatrixSite();
  const folder = dirname(site.output);
  const store = await openStore(join(folder, 'publication.db'));
  const app = createServer({
    config: loadConfig({
      environment: {},
      flags: { output: site.output, contentKey: 'optional', ...PAGE_SIZES },
    }),
    context: {
      store,
      clock: { now: Date.now },
      secretBox: openSecretBox(join(folder, 'secret.key')),
      site: () => ({ siteUrl: 'https://site.test' }),
      vetTarget: async () => null,
      webhookEvents: [],
      reservedSlugs: [],
    },
    publisher: {
      wake: () => undefined,
      requestBuild: async () => ({ id: '' }),
      state: () => ({}),
      firstBuild: () => null,
    },
    storedSegment: (resource, slug) =>
      site.names.find((name) => name.resource === resource && name.slug === slug)?.segment,
    adminOrigin: () => '',
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = askAt(Number(new URL(url).port));
  running = {
    site,
    ask,
    close: async () => {
      await app.close();
      await store.close();
      site.remove();
    },
  };
  return () => running.close();
});

checkHost(() => running, {
  exceptions: ({ path }) =>
    /posts\/\?limit=5|pages\/\?page=2|page=9999|page=x/.test(path)
      ? 'the server cuts lists by itself'
      : null,
});

test('the list has at least sixty requests, each once', () => {
  expect(REQUESTS.length).toBeGreaterThanOrEqual(60);
  const names = REQUESTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the pages that hosts send say which they are, and together they are the list', () => {
  const { content } = running.site;
  const slugs = [1, 2, 3].flatMap((page) => {
    const name = page === 1 ? 'authors-tags' : `page-${page}-authors-tags`;
    const { posts, meta } = JSON.parse(readFileSync(join(content, `posts/${name}.json`), 'utf8'));
    expect(meta.pagination).toEqual({
      page,
      limit: 3,
      pages: 3,
      total: 9,
      next: page === 3 ? null : page + 1,
      prev: page === 1 ? null : page - 1,
    });
    return (posts as { slug: string }[]).map(({ slug }) => slug);
  });
  expect(slugs).toEqual([
    RAW_SLUG,
    ODD_SLUG,
    'x.tags',
    'twin',
    'Twin',
    'con',
    LONG_SLUG,
    UNICODE_SLUG,
    'welcome',
  ]);
});
