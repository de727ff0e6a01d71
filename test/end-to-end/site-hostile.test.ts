// Pages of hostile titles, names and links: no element and no attribute that they bring.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHostile } from '../helpers/hostile-site.ts';
import { readPage } from '../helpers/read-page.ts';
import { expectSoundJsonFeed } from '../helpers/site-checks.ts';
import { buildPages, siteConfig } from '../helpers/site-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { readTree } from '../helpers/tree.ts';

const started = process.cwd();
let pages: [name: string, html: string][] = [];

beforeAll(async () => {
  const suite = suiteFolder();
  process.chdir(suite.path);
  mkdirSync(join(suite.path, 'data'));
  await fillHostile(siteConfig(suite.path).database);
  await buildPages(suite.path, { markdown: true });
  pages = [...readTree(join(suite.path, 'output'))].filter(([name]) => name.endsWith('.html'));
  return suite.remove;
});
afterAll(() => process.chdir(started));

/** What the templates have: scripts that are files of the site, and data. */
const OWN_SCRIPTS = ['/assets/site.js', '/assets/cards.js', '/assets/explorer.js'];

test('no page has a script, a handler or an address that its template does not have', () => {
  expect(pages.length).toBeGreaterThan(6);
  for (const [name, html] of pages) {
    const { elements } = readPage(html);
    const scripts = elements.filter((element) => element.name === 'script');
    for (const { attributes, text } of scripts) {
      if (attributes.src !== undefined) expect(OWN_SCRIPTS, name).toContain(attributes.src);
      else
        expect([attributes.type, text.includes('<')], name).toEqual(['application/ld+json', false]);
    }
    expect(scripts.length, name).toBeGreaterThan(0);
    const attributes = elements.flatMap((element) => Object.entries(element.attributes));
    expect(
      attributes.filter(([attribute]) => attribute.startsWith('on')),
      name,
    ).toEqual([]);
    const addresses = attributes.filter(([attribute]) => /^(?:href|src|action)$/.test(attribute));
    // A page without an icon has an empty data URL.
    const odd = addresses.filter(([, value]) => /^\s*(?:javascript|data):./i.test(value));
    expect(
      odd.filter(([, value]) => value !== 'data:,'),
      name,
    ).toEqual([]);
  }
});

test('the style of a page holds three colours and nothing else', () => {
  for (const [name, html] of pages) {
    // That one shows nothing of the publication.
    if (name === 'content/index.html') continue;
    const [style] = readPage(html).elements.filter((element) => element.name === 'style');
    expect(style?.text, name).toMatch(
      /^:root \{(?: --(?:ghost-)?accent-\w+: #[0-9a-f]{6};){3} \}$/,
    );
  }
});

test('what looks like a template is shown, and not run', () => {
  const home = pages.find(([name]) => name === 'index.html')?.[1] ?? '';
  expect(home).toContain('{{ 7 * 7 }}');
});

test('feeds hold no character that XML has not', () => {
  for (const name of ['feed.atom', 'feed.rss']) {
    const feed = readFileSync(join('output', name), 'utf8');
    expect(feed).toContain('7 * 7');
    expect(feed, name).not.toMatch(NOT_IN_XML);
  }
});

test('a JSON Feed has no address that readers would run', () => {
  expectSoundJsonFeed('output');
  const feed = readFileSync(join('output', 'feed.json'), 'utf8');
  expect(feed).not.toMatch(/"(?:icon|image|avatar|url)": "(?!https?:)/);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
