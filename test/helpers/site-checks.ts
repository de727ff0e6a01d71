// What holds for the pages of every publication: html that a validator passes, small files, fonts that shift nothing, and
// feeds and a sitemap that have what their formats ask for and lead to pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate';
import sax from 'sax';
import { expect } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { hasFile, SITE } from './site-pages.ts';

const PAGE_BYTES_MAX = 100_000;

/** Pages by name. `unchecked`: rules of the validator that bodies of this publication break. */
export const expectSoundPages = async (
  pages: ReadonlyMap<string, string>,
  unchecked: readonly string[] = [],
): Promise<void> => {
  const validator = new HtmlValidate(
    new FileSystemConfigLoader({
      root: true,
      extends: ['html-validate:recommended'],
      rules: {
        // Void elements, inline styles and long titles are the author's in bodies.
        'void-style': 'off',
        'no-inline-style': 'off',
        'long-title': 'off',
        'no-trailing-whitespace': 'off',
        // The article of a post holds its own header; Eleventy's templates indent nothing.
        'no-raw-characters': ['error', { relaxed: true }],
        ...Object.fromEntries(unchecked.map((rule) => [rule, 'off'] as const)),
      },
    }),
  );
  const faults: string[] = [];
  for (const [name, html] of pages) {
    const { results } = await validator.validateString(html, name);
    faults.push(
      ...results.flatMap((result) =>
        result.messages.map(({ ruleId, message, line }) => `${name}:${line} ${ruleId} ${message}`),
      ),
    );
    expect(Buffer.byteLength(html), name).toBeLessThan(PAGE_BYTES_MAX);
    expect(html, name).not.toMatch(/@font-face|<link[^>]+fonts/);
  }
  expect(faults).toEqual([]);
};

const SITEMAP_SCHEMA = readFileSync(join(import.meta.dirname, '../fixtures/sitemap.xsd'), 'utf8');

/** By the schemas of sitemaps.org. */
export const expectSoundSitemaps = async (output: string): Promise<void> => {
  const names = readdirSync(output).filter((name) => /^sitemap.*\.xml$/.test(name));
  const xml = names.map((fileName) => ({
    fileName,
    contents: readFileSync(join(output, fileName), 'utf8'),
  }));
  const { errors } = await validateXML({ xml, schema: SITEMAP_SCHEMA });
  expect([names.length > 0, errors]).toEqual([true, []]);
};

/** By a reader of feeds from elsewhere: it keeps what it knows of a format, in the form that the format asks for. */
export const expectSoundJsonFeed = (output: string): void => {
  // It leaves out empty lists, and white space around texts.
  const kept = (_: string, value: unknown): unknown => {
    if (Array.isArray(value) && value.length === 0) return undefined;
    return typeof value === 'string' ? value.trim() : value;
  };
  const { version, ...feed } = JSON.parse(readFileSync(join(output, 'feed.json'), 'utf8'), kept);
  expect(version).toBe('https://jsonfeed.org/version/1.1');
  expect(parseJsonFeed({ version, ...feed })).toEqual(feed);
};

const elementsOf = (xml: string): string[] => {
  const names: string[] = [];
  const parser = sax.parser(true);
  parser.onopentag = ({ name }) => void names.push(name);
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return names;
};

const countOf = (names: readonly string[], one: string): number =>
  names.filter((name) => name === one).length;

/** Returns the number of entries of the feeds. */
export const expectSoundFeeds = (output: string): number => {
  const text = (name: string): string => readFileSync(join(output, name), 'utf8');
  const atom = elementsOf(text('feed.atom'));
  expect(atom[0]).toBe('feed');
  const entries = countOf(atom, 'entry');
  // RFC 4287: each entry and the feed have one id, title and updated; an entry has an author.
  for (const name of ['id', 'title', 'updated']) expect(countOf(atom, name)).toBe(entries + 1);
  // Its text, or a summary in its place.
  for (const entry of text('feed.atom').split('<entry>').slice(1))
    expect(entry).toMatch(/<(?:content|summary)\b/);
  expect(text('feed.atom')).toMatch(
    /<updated>\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)<\/updated>/,
  );
  const rss = elementsOf(text('feed.rss'));
  expect(rss.slice(0, 2)).toEqual(['rss', 'channel']);
  for (const name of ['guid', 'pubDate']) expect(countOf(rss, name)).toBe(countOf(rss, 'item'));
  expect(text('feed.rss')).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/);
  const read = [parseAtomFeed(text('feed.atom')).entries, parseRssFeed(text('feed.rss')).items];
  for (const all of read) expect(all).toHaveLength(entries);
  const sitemap = text('sitemap.xml');
  expect(new Set(elementsOf(sitemap))).toEqual(new Set(['urlset', 'url', 'loc', 'lastmod']));
  for (const [, loc = ''] of sitemap.matchAll(/<loc>([^<]*)/g)) {
    expect(hasFile(output, decodeURIComponent(new URL(loc).pathname)), loc).toBe(true);
  }
  expect(text('robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  return entries;
};
