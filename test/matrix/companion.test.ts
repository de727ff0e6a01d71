// The companion server is held to the list first: what it answers is what every host must.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { startCompanion } from './companion-process.ts';
import { REQUESTS } from './conformance.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { buildMatrixSite, LONG_SLUG, ODD_SLUG, RAW_SLUG, UNICODE_SLUG } from './site.ts';

let running: HostUnderTest;

beforeAll(async () => {
  const site = await buildMatrixSite();
  const { port, end } = await startCompanion(site);
  running = { site, ask: askAt(port) };
  return async () => {
    await end();
    site.remove();
  };
});

checkHost(() => running, { answersAll: true, exceptions: rawByteExceptions });

test('the list has at least sixty requests, each once', () => {
  expect(REQUESTS.length).toBeGreaterThanOrEqual(60);
  const names = REQUESTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the pages that hosts send say which they are, and together they are the list', () => {
  const { content } = running.site;
  const slugs = [1, 2, 3, 4, 5].flatMap((page) => {
    const name = page === 1 ? 'authors-tags' : `page-${page}-authors-tags`;
    const { posts, meta } = JSON.parse(readFileSync(join(content, `posts/${name}.json`), 'utf8'));
    expect(meta.pagination).toEqual({
      page,
      limit: 2,
      pages: 5,
      total: 9,
      next: page === 5 ? null : page + 1,
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
