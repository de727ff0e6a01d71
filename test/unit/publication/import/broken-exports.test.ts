import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PrepressError } from '../../../../src/base/errors.ts';
import { createPublication, isOnPostgres } from '../../../helpers/publication.ts';
import { createRandom, SEED } from '../../../helpers/random.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import {
  dump,
  FIXTURE,
  importData,
  importFile,
  readData,
  rowOf,
  writeText,
} from './ghost-import.ts';

const codeOf = async (run: Promise<unknown>): Promise<string> => {
  try {
    await run;
  } catch (error) {
    return error instanceof PrepressError ? error.code : String(error);
  }
  return 'imported';
};

const NOT_EXPORTS: Readonly<Record<string, string>> = {
  'an empty file': '',
  'a text': 'hello',
  'a number': '12',
  'an array': '[{"meta":{"version":"6.0.0"},"data":{"posts":[]}}]',
  'an object of something else': '{"posts":[{"id":"1"}]}',
  'no meta': '{"db":[{"data":{"posts":[]}}]}',
  'no version': '{"db":[{"meta":{},"data":{"posts":[]}}]}',
  'a version that is none': '{"db":[{"meta":{"version":"new"},"data":{"posts":[]}}]}',
  'no data': '{"db":[{"meta":{"version":"6.0.0"}}]}',
  'no posts': '{"meta":{"version":"6.0.0"},"data":{"tags":[]}}',
  'posts that are no list': '{"meta":{"version":"6.0.0"},"data":{"tags":[],"posts":{}}}',
  'two documents': '{"meta":{"version":"6.0.0"},"data":{"posts":[]}}{}',
  'a comma too many': '{"meta":{"version":"6.0.0"},"data":{"posts":[],}}',
  'a raw line break in a text': '{"meta":{"version":"6.0.0\n"},"data":{"posts":[]}}',
  'endless depth': '{"a":'.repeat(500),
};

test('what is no export is called so', async () => {
  const publication = await createPublication();
  for (const [name, text] of Object.entries(NOT_EXPORTS)) {
    const code = await codeOf(importFile(publication, writeText(text)));
    expect([name, code]).toEqual([name, 'IMPORT_NOT_AN_EXPORT']);
  }
});

test('an export without posts changes nothing, and an empty file says that it is empty', async () => {
  const publication = await createPublication();
  const before = dump(publication.shell, 'with log');
  const { posts: _posts, ...data } = readData();
  await expect(importData(publication, data as ReturnType<typeof readData>)).rejects.toThrow(
    /is not a Ghost export: it has no list "posts"\.$/,
  );
  expect(dump(publication.shell, 'with log')).toBe(before);
  await expect(importFile(publication, writeText(''))).rejects.toThrow(/^The file .* is empty\.$/);
});

test('an export in another encoding is refused, and not taken with broken letters', async () => {
  const file = writeText('');
  writeFileSync(file, readFileSync(FIXTURE, 'utf8').replace('Bread', 'Brötchen'), 'latin1');
  const run = importFile(await createPublication(), file);
  await expect(run).rejects.toThrow(/The file .* is not text in UTF-8\.$/);
});

test('a file that is absent, or a folder, is unreadable', async () => {
  const publication = await createPublication();
  for (const file of [join(temporaryFolder(), 'absent.json'), temporaryFolder()]) {
    expect(await codeOf(importFile(publication, file))).toBe('IMPORT_UNREADABLE');
  }
});

test('an export with a byte-order mark and spaces around it is taken', async () => {
  const publication = await createPublication();
  const file = writeText(`\ufeff ${readFileSync(FIXTURE, 'utf8')}\n `);
  expect((await importFile(publication, file)).tables.posts?.added).toBe(5);
});

test('an export cut off anywhere changes nothing', async () => {
  const publication = await createPublication();
  publication.insert('posts', { title: 'Here before' });
  const data = readData();
  rowOf(data, 'posts', 'a00000000000000000000001').html = 'é🥖'.repeat(40_000);
  const bytes = Buffer.from(JSON.stringify({ db: [{ meta: { version: '6.65.0' }, data }] }));
  const before = dump(publication.shell, 'with log');
  const random = createRandom(SEED);
  for (let round = 0; round < 50; round += 1) {
    const length = 1 + Math.floor(random() * (bytes.length - 1));
    const file = writeText('');
    writeFileSync(file, bytes.subarray(0, length));
    const where = `seed ${SEED}, cut at ${length}`;
    expect(await codeOf(importFile(publication, file)), where).toBe('IMPORT_CUT_OFF');
    expect(dump(publication.shell, 'with log') === before, where).toBe(true);
  }
});

test.skipIf(isOnPostgres)('a failure while writing leaves the database as it was', async () => {
  const publication = await createPublication();
  publication.shell.exec(
    "CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  const before = dump(publication.shell, 'with log');
  expect(await codeOf(importData(publication, readData()))).toContain('disk full');
  expect(dump(publication.shell, 'with log')).toBe(before);
});

test('a site address that is not absolute is refused before anything is read', async () => {
  const publication = await createPublication();
  for (const url of ['example.org', '/here', 'ftp://example.org', 'https://u:p@example.org', '']) {
    expect(await codeOf(importFile(publication, 'absent.json', url)), url).toBe('CONFIG_INVALID');
  }
});
