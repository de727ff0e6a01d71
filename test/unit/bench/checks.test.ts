import { expect, test } from 'vitest';
import { atLeast, atMost, isMet } from '../../../bench/checks.ts';
import { isPartOfPublish, touchedNeedlessly } from '../../../bench/touched.ts';

test('a check is met at its limit, and never by what could not be measured', () => {
  expect(isMet(atMost('memory', '', [350, 350]))).toBe(true);
  expect(isMet(atMost('memory', '', [350.1, 350]))).toBe(false);
  expect(isMet(atMost('memory', '', [Number.NaN, 350]))).toBe(false);
  expect(isMet(atLeast('time', '', [0.5, 0.5]))).toBe(true);
  expect(isMet(atLeast('time', '', [0.49, 0.5]))).toBe(false);
  expect(isMet(atLeast('time', '', [Number.NaN, 0.5]))).toBe(false);
});

const BLOB = `packed/0f/${'a'.repeat(30)}.txt`;

test('publishing a post touches the post, lists, counts and the packed tree, nothing else', () => {
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
    'tags/page-2-public-count-posts.json',
    'search-index/posts/index.json',
    'packed/root.json',
    BLOB,
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
    'search-index/tags/index.json',
    'packed/other.json',
    'packed/0f/short.txt',
    '404.json',
  ];
  expect(own.filter((name) => !isPartOfPublish(name, ids))).toEqual([]);
  expect(foreign.filter((name) => isPartOfPublish(name, ids))).toEqual([]);
});

test('an edit touches needlessly what is not its own, and every blob that it writes again', () => {
  const id = 'c'.repeat(24);
  const own = [`posts/${id}/index.json`, 'posts/slug/a-post/index.json', 'posts/index.json'];
  const edit = { scenario: 'publish', written: [...own, BLOB], removed: [] };
  const look = (touched: string[], rewritten: string[] = []) =>
    touchedNeedlessly({ ...edit, touched, rewritten });
  expect(look([...own, BLOB])).toEqual([]);
  expect(look([...own, 'pages/index.json'])).toEqual(['pages/index.json']);
  expect(look([...own, BLOB], ['posts/index.json', BLOB])).toEqual([BLOB]);
  const rename = { ...edit, scenario: 'tag', touched: ['posts/other/index.json', BLOB] };
  expect(touchedNeedlessly({ ...rename, rewritten: [] })).toEqual(['posts/other/index.json']);
  expect(() => touchedNeedlessly({ ...edit, touched: null, rewritten: null })).toThrow('Nobody');
});
