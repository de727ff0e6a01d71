import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeast, atMost, isMet, median } from '../../../bench/checks.ts';
import { isPartOfPublish, readStamps, touchedBetween } from '../../../bench/touched.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a check is met at its limit, and never by what could not be measured', () => {
  expect(isMet(atMost('memory', '', [350, 350]))).toBe(true);
  expect(isMet(atMost('memory', '', [350.1, 350]))).toBe(false);
  expect(isMet(atMost('memory', '', [Number.NaN, 350]))).toBe(false);
  expect(isMet(atLeast('time', '', [0.5, 0.5]))).toBe(true);
  expect(isMet(atLeast('time', '', [0.49, 0.5]))).toBe(false);
  expect(isMet(atLeast('time', '', [Number.NaN, 0.5]))).toBe(false);
});

test('the median is the middle value, the lower one of two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2);
  expect(median([])).toBeNaN();
});

test('touched is what came, went, or was written, with the same bytes too', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a'));
  for (const name of ['same', 'a/appended', 'replaced', 'rewritten', 'gone']) {
    writeFileSync(join(folder, name), 'text');
    utimesSync(join(folder, name), 1, 1);
  }
  const before = readStamps(folder);
  expect(touchedBetween(before, readStamps(folder))).toEqual([]);
  appendFileSync(join(folder, 'a/appended'), 'more');
  writeFileSync(join(folder, 'new'), 'text');
  writeFileSync(join(folder, 'rewritten'), 'text');
  renameSync(join(folder, 'new'), join(folder, 'replaced'));
  rmSync(join(folder, 'gone'));
  writeFileSync(join(folder, 'added'), '');
  expect(touchedBetween(before, readStamps(folder))).toEqual(
    ['a/appended', 'added', 'gone', 'replaced', 'rewritten'].sort(),
  );
});

test('publishing a post touches the post, lists of posts and counts, nothing else', () => {
  const ids = new Set(['0123', 'my-post']);
  const own = [
    'posts/0123/index.json',
    'posts/slug/my-post/authors-tags.json',
    'posts/index.json',
    'posts/page-2-tags.json',
    'tags/abc/count-posts.json',
    'tags/slug/abc/count-posts.json',
    'tags/public-count-posts.json',
    'authors/count-posts.json',
    'manifest.json',
  ];
  const foreign = [
    'posts/4567/index.json',
    'posts/slug/other/index.json',
    'pages/index.json',
    'tags/index.json',
    'tags/abc/index.json',
    'authors/abc/index.json',
    'settings/index.json',
    '404.json',
  ];
  expect(own.filter((name) => !isPartOfPublish(name, ids))).toEqual([]);
  expect(foreign.filter((name) => isPartOfPublish(name, ids))).toEqual([]);
});
