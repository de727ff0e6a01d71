// Which queries are declared for what was asked, and that the settings file keeps what else is in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planAdoption } from '../../../src/admin/adopt-queries.ts';
import { declareInFile } from '../../../src/admin/declare-in-file.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('what was asked is declared with a slug and all pages, beside what a file has already', () => {
  const own = { resource: 'posts', filter: ' tag: news', include: ['tags'] };
  const file = join(temporaryFolder(), 'prepress.config.json');
  writeFileSync(file, JSON.stringify({ queries: [own], port: 1 }));
  const config = loadConfig({ environment: {}, file });
  const asked = ['filter=tag:a&limit=5', 'filter=tag:b&limit=5&page=2', 'filter=password:x'];
  const { added, left } = planAdoption(
    asked.map((query) => ({ resource: 'posts', query, count: 1, askedAt: 0 })),
    config,
  );
  expect(left).toMatchObject([{ query: 'filter=password:x' }]);
  declareInFile(file, added, config);
  const declared = { resource: 'posts', filter: 'tag:{slug}', limit: 5, pages: 'all' };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ queries: [own, declared], port: 1 });
});
