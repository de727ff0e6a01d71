// `npm run docs` builds docs/ into a site: a page for each document, no link of which leads nowhere, and the sample's
// content beside them. A link to a page that is not there is noticed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listPages } from '../helpers/list-pages.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const pages = listPages().map((path) => path.replace(/^docs\//, '').replace(/\.md$/, '.html'));

let site = '';
beforeAll(() => {
  const suite = suiteFolder();
  site = join(suite.path, 'site');
  execFileSync(process.execPath, [join(ROOT, 'scripts/docs.js')], {
    env: { PATH: process.env.PATH, DOCS_HOME: suite.path },
    stdio: 'pipe',
  });
  return suite.remove;
});

/** Links and pictures between pages that lead to no file or to no id. */
const brokenLinks = (page: string, html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, target = '']) => target)
    .filter(
      (target) =>
        !/^(?:[a-z]+:|(?:\.\.\/)+(?:README|ARCHITECTURE|CHANGELOG|examples))/.test(target),
    )
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const full = file === '' ? join(site, page) : join(site, dirname(page), file);
      if (!existsSync(full)) return true;
      return anchor !== undefined && !readFileSync(full, 'utf8').includes(`id="${anchor}"`);
    });

test('each document is a page with a title, and every link leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const html = readFileSync(join(site, page), 'utf8');
    expect(html, page).toMatch(/<title>[^<]+<\/title>/);
    expect(brokenLinks(page, html), page).toEqual([]);
  }
});

test('each page is there as Markdown, too, and llms.txt lists it', () => {
  const list = readFileSync(join(site, 'llms.txt'), 'utf8');
  for (const path of listPages()) {
    const name = path.replace(/^docs\//, '');
    const markdown = readFileSync(join(ROOT, path), 'utf8');
    expect(readFileSync(join(site, name), 'utf8')).toBe(markdown);
    expect(list).toContain(`- [${markdown.split('\n')[0]?.slice(2)}](${name})\n`);
  }
});

test('the content of the sample lies beside the pages', () => {
  const { posts } = JSON.parse(readFileSync(join(site, 'content/posts/index.json'), 'utf8')) as {
    posts: unknown[];
  };
  expect(posts.length).toBeGreaterThan(10);
});

test('a link to an absent page or id is noticed', () => {
  expect(
    brokenLinks('index.html', '<a href="absent.html"></a><a href="hosts.html#no"></a>'),
  ).toEqual(['absent.html', 'hosts.html#no']);
});
