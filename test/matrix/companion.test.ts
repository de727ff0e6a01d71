// The companion server is held to the list first: what it answers is what every host must.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostTrials } from './check-host.ts';
import { startCompanion } from './companion-process.ts';
import { REQUESTS } from './conformance.ts';
import { startHosts } from './hosts-of-file.ts';
import { rawByteExceptions } from './rule-exceptions.ts';
import { LONG_SLUG, ODD_SLUG, RAW_SLUG, UNICODE_SLUG } from './site.ts';
import { holdAll } from './trials.ts';

const hosts = startHosts([{ title: 'companion', start: (site) => startCompanion(site) }]);

test('documents and addresses', () =>
  holdAll(
    hosts().flatMap((host) =>
      hostTrials(host, { answersAll: true, exceptions: rawByteExceptions }),
    ),
  ));

test('the list has at least sixty requests, each once', () => {
  expect(REQUESTS.length).toBeGreaterThanOrEqual(60);
  const names = REQUESTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the pages that hosts send say which they are, and together they are the list', () => {
  const content = hosts()[0]?.site.content ?? '';
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
