// Pages that are no longer asked for, or have moved: after the setting `site` is turned off, and `basePath` has changed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

test('404.html of the pages is replaced by the copy for github-pages in one build', async () => {
  const folder = temporaryFolder();
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const buildWith = (site: boolean): Promise<string> => {
    const settings = { siteUrl: 'https://site.test', hosts: ['github-pages'], site };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
    return prepress(folder, ['build']);
  };
  await prepress(folder, ['init']);
  await buildWith(true);
  expect(read('output/404.html')).toContain('<!DOCTYPE html>');
  await buildWith(false);
  expect(read('output/404.html')).toBe(read('output/content/404.json'));
});

test('a site whose address has a path that basePath lacks is told so', async () => {
  const folder = temporaryFolder();
  const buildWith = (settings: object): Promise<string> => {
    const text = JSON.stringify({ siteUrl: 'https://site.test/blog', site: true, ...settings });
    writeFileSync(join(folder, 'prepress.config.json'), text);
    return prepress(folder, ['build']);
  };
  await prepress(folder, ['init', '--empty']);
  const told = `The path of the site's address is "/blog", and basePath is ""`;
  expect(await buildWith({})).toContain(told);
  expect(await buildWith({ basePath: '/blog' })).not.toContain("The path of the site's address");
});

test('the pages of an earlier basePath go, and what lies beside them stays', async () => {
  const folder = temporaryFolder();
  const output = join(folder, 'output');
  const pagesIn = (): string[] =>
    readdirSync(output, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:html|rss|xml)$/.test(name))
      .filter((name) => !name.includes('content/'));
  const buildAt = (basePath: string): Promise<string> => {
    const settings = { siteUrl: `https://site.test${basePath}`, basePath, site: true };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
    return prepress(folder, ['build']);
  };
  await prepress(folder, ['init']);
  await buildAt('');
  const before = pagesIn();
  expect(before.length).toBeGreaterThan(20);
  writeFileSync(join(output, 'mine.html'), 'mine');
  await buildAt('/blog');
  const moved = before.map((name) => `blog/${name}`);
  expect(pagesIn().toSorted()).toEqual([...moved, 'mine.html'].toSorted());
  const disowned = (await prepress(folder, ['verify'])).match(/\S+(?=: Prepress did not write)/g);
  expect(disowned).toEqual(['../../mine.html']);
});
