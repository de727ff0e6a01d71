import { expect, test } from 'vitest';
import { createSitemaps } from '../../../../src/pages/site/sitemaps.ts';

const HOME = 'https://site.test/blog/';

const entriesOf = (count: number): { url: string; time: string | null }[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `${HOME}${at}/`,
    time: at % 2 === 0 ? null : `2026-01-0${(at % 9) + 1}T10:00:00.000+00:00`,
  }));

test('as many addresses as one file may have are one sitemap', () => {
  const entries = entriesOf(50_000);
  const [whole, ...others] = createSitemaps(entries, HOME);
  expect([whole?.file, whole?.isIndex, others]).toEqual(['sitemap.xml', false, []]);
  expect(whole?.entries).toBe(entries);
  expect(createSitemaps([], HOME)).toEqual([{ file: 'sitemap.xml', isIndex: false, entries: [] }]);
});

test('more of them are an index of sitemaps, none of which is longer, and none is left out', () => {
  const lengths = createSitemaps(entriesOf(50_001), HOME).map(({ entries }) => entries.length);
  expect(lengths).toEqual([2, 50_000, 1]);
  const entries = entriesOf(7);
  const [index, ...parts] = createSitemaps(entries, HOME, 3);
  expect(index).toMatchObject({ file: 'sitemap.xml', isIndex: true });
  expect(parts.map(({ file }) => `${HOME}${file}`)).toEqual(index?.entries.map(({ url }) => url));
  expect(parts.flatMap((part) => part.entries)).toEqual(entries);
});

test('a sitemap in an index is as new as the newest of its pages', () => {
  const times = ['2026-01-02T00:30:00.000+02:00', '2026-01-01T23:00:00.000+00:00', null];
  const entries = times.map((time, at) => ({ url: `${HOME}${at}/`, time }));
  const [index] = createSitemaps(entries, HOME, 2);
  expect(index?.entries.map(({ time }) => time)).toEqual([times[1], null]);
});
