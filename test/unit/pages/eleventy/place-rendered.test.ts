// What is placed of a run of Eleventy: what the project made, and the texts that no template makes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeRendered } from '../../../../src/pages/eleventy/place-rendered.ts';
import { NO_SITE } from '../../../../src/pages/site/site.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { testConfig } from '../../../helpers/tree.ts';

test('a file of the project stands in place of a text of that name', async () => {
  const folder = temporaryFolder();
  const output = join(folder, 'output');
  const copy = join(folder, 'copy.txt');
  writeFileSync(copy, 'copied');
  const text = (path: string) => ({ path, read: () => Buffer.from('of Prepress') });
  const { written } = await placeRendered({
    config: testConfig({ output, database: join(folder, 'publication.db') }),
    event: {
      directories: { input: folder, output: 'out' },
      runMode: 'build',
      outputMode: 'json',
      incremental: false,
      results: [{ inputPath: 'llms.njk', outputPath: 'out/llms.txt', content: 'rendered' }],
    },
    isHosted: true,
    copied: { '/llms-full.txt': copy },
    generation: 0,
    planned: () => ({
      site: NO_SITE,
      kept: [],
      texts: () => ['llms.txt', 'llms-full.txt', 'feed.json'].map(text),
      warnings: new Set(),
      begin: () => undefined,
      end: () => undefined,
    }),
  });
  const texts = [...written]
    .sort()
    .map((path) => `${path}: ${readFileSync(join(output, path), 'utf8')}`);
  expect(texts).toEqual(['feed.json: of Prepress', 'llms-full.txt: copied', 'llms.txt: rendered']);
});
