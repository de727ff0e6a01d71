// Declared queries in the settings file: what else is in it stays.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declareInFile } from '../../../src/admin/declare-in-file.ts';
import { declaredQueriesOf } from '../../../src/config/declared-queries.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const declaredOf = (...queries: unknown[]) =>
  declaredQueriesOf(loadConfig({ environment: {}, flags: { queries } })).queries;

const createFile = (text?: string) => {
  const path = join(temporaryFolder(), 'prepress.config.json');
  if (text !== undefined) writeFileSync(path, text);
  const load = () => loadConfig({ environment: {}, file: existsSync(path) ? path : undefined });
  return {
    path,
    load,
    declare: (...queries: unknown[]) => declareInFile(path, declaredOf(...queries), load()),
  };
};

test('a file that is absent is made', () => {
  const { path, declare, load } = createFile();
  declare({ resource: 'posts', include: 'tags,authors', limit: 5, pages: 'all' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    queries: [{ resource: 'posts', include: 'authors,tags', limit: 5, pages: 'all' }],
  });
  expect(declaredQueriesOf(load()).queries).toHaveLength(1);
});

test('other settings and queries stay as they are, in their order', () => {
  const own = { resource: 'posts', filter: ' tag: news', include: ['tags'] };
  const settings = { lists: { max: 50 }, queries: [own], siteUrl: 'https://a.test', port: 1 };
  const { path, declare, load } = createFile(`${JSON.stringify(settings, null, 4)}\n`);
  declare({ resource: 'tags', limit: 3 });
  const text = readFileSync(path, 'utf8');
  expect(text).toBe(
    `${JSON.stringify({ ...settings, queries: [own, { resource: 'tags', limit: 3 }] }, null, 4)}\n`,
  );
  expect(load().port).toBe(1);
});

test('a query that is declared anew takes the place of the old one', () => {
  const old = { resource: 'posts', limit: '5', pages: 2 };
  const { path, declare } = createFile(JSON.stringify({ queries: [old] }));
  declare({ resource: 'posts', limit: 5, pages: 'all' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    queries: [{ resource: 'posts', limit: 5, pages: 'all' }],
  });
});

test('the file keeps its rights, and links to it stay', () => {
  const { path, declare } = createFile();
  const target = `${path}.target`;
  writeFileSync(target, '{}');
  chmodSync(target, 0o664);
  symlinkSync(target, path);
  declare({ resource: 'posts', limit: 5 });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(statSync(target).mode & 0o777).toBe(0o664);
  expect(JSON.parse(readFileSync(target, 'utf8')).queries).toHaveLength(1);
});

test('a setting that comes from elsewhere is not written into a file that counts for nothing', () => {
  const { path } = createFile('{}');
  const config = loadConfig({
    environment: { PREPRESS_QUERIES: '[{"resource":"posts","limit":1}]' },
  });
  expect(() => declareInFile(path, declaredOf({ resource: 'tags', limit: 1 }), config)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION',
      message: expect.stringContaining('environment'),
    }),
  );
  expect(readFileSync(path, 'utf8')).toBe('{}');
});

test('a file that cannot be made is named', () => {
  const path = join(temporaryFolder(), 'absent', 'prepress.config.json');
  const config = loadConfig({ environment: {} });
  expect(() => declareInFile(path, declaredOf({ resource: 'tags', limit: 1 }), config)).toThrow(
    expect.objectContaining({ code: 'VALIDATION', message: expect.stringContaining('ENOENT') }),
  );
});
