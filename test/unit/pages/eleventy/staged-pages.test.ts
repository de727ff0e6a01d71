// Pages that were written ahead: what is placed of them, and what is written anew.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfBytes } from '../../../../src/base/files/file-hash.ts';
import { renderedPages } from '../../../../src/pages/eleventy/place-rendered.ts';
import { openWrittenFiles } from '../../../../src/publish/output/copies/written-files.ts';
import { placePages } from '../../../../src/publish/output/pages/page-files.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';
import { NO_SYNC, readTree } from '../../../helpers/tree.ts';

const TEXTS = {
  'index.html': 'home',
  'a/index.html': 'A',
  'tag/x/index.html': 'X',
  'tag/y/index.html': 'Y',
};

/** A folder whose pages were written ahead, and what places them, with some that were not, or otherwise. */
const stagePages = (texts: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder();
  const root = join(folder, 'output');
  const stage = join(root, '.prepress-pages-1');
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    writeFileSync(join(stage, path), text);
  }
  const record = join(folder, 'pages.json');
  const place = (asked: Readonly<Record<string, string>>) =>
    placePages({
      root,
      record,
      pages: Object.entries(asked).map(([path, text]) => ({
        path,
        read: () => Buffer.from(text),
        stagedHash: texts[path] === text ? hashOfBytes(Buffer.from(text)) : undefined,
      })),
      stage: { folder: stage, paths: Object.keys(texts) },
      generation: { shown: 1, newest: 1 },
      durability: NO_SYNC,
    });
  return { root, stage, record, place };
};

test('they are placed as they are, folders whole, and nothing stays behind', async () => {
  const { root, stage, record, place } = stagePages(TEXTS);
  const inode = statSync(join(stage, 'tag/x/index.html')).ino;
  const { written } = await place(TEXTS);
  expect([...written].sort()).toEqual(Object.keys(TEXTS).sort());
  expect(Object.fromEntries(readTree(root))).toEqual(TEXTS);
  expect(statSync(join(root, 'tag/x/index.html')).ino).toBe(inode);
  expect(readdirSync(root).sort()).toEqual(['a', 'index.html', 'tag']);
  const { hashes } = openWrittenFiles(record, root);
  expect(hashes.get('a/index.html')).toBe(hashOfBytes(Buffer.from('A')));
});

test('what became other since is written anew, and what is no page any more is left out', async () => {
  const { root, place } = stagePages({
    ...TEXTS,
    'a/gone/index.html': 'gone',
    'b/index.html': 'B',
  });
  const asked = { ...TEXTS, 'tag/y/index.html': 'changed', 'tag/new/index.html': 'new' };
  await place(asked);
  expect(Object.fromEntries(readTree(root))).toEqual(asked);
});

test("a folder that stands keeps what is somebody's own", async () => {
  const { root, place } = stagePages(TEXTS);
  mkdirSync(join(root, 'tag/x'), { recursive: true });
  writeFileSync(join(root, 'tag/own.txt'), 'own');
  writeFileSync(join(root, 'tag/x/index.html'), 'of somebody');
  const { blocked } = await place(TEXTS);
  expect(blocked).toEqual(['tag/x/index.html']);
  expect(Object.fromEntries(readTree(root))).toEqual({
    ...TEXTS,
    'tag/own.txt': 'own',
    'tag/x/index.html': 'of somebody',
  });
});

test('when the folder is gone, all are written', async () => {
  const { root, stage, place } = stagePages(TEXTS);
  rmSync(stage, { recursive: true });
  await place(TEXTS);
  expect(Object.fromEntries(readTree(root))).toEqual(TEXTS);
  expect(existsSync(join(root, '.prepress-pages'))).toBe(false);
  expect(readFileSync(join(root, 'a/index.html'), 'utf8')).toBe('A');
});

test('a page that another transform changed since is not the one that was written ahead', () => {
  const content = '<p>now</p>';
  const results = ['a', 'b', 'c'].map((name) => ({
    ...{ inputPath: 'page.njk', outputPath: `out/${name}.html`, content },
  }));
  const staged = new Map([
    ['a.html', { text: content, hash: 'of a' }],
    ['b.html', { text: '<p>before</p>', hash: 'of b' }],
  ]);
  const event = { results, directories: { input: '.', output: 'out' } };
  const pages = renderedPages(event, { pages: staged });
  expect(pages.map(({ path, stagedHash }) => [path, stagedHash])).toEqual([
    ['a.html', 'of a'],
    ['b.html', undefined],
    ['c.html', undefined],
  ]);
});
