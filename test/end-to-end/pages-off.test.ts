// The first build after the setting `site` is turned off: copies for a host stand where pages stood.
import { readFileSync, writeFileSync } from 'node:fs';
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
