import { expect, test } from 'vitest';
import { resolveListPages } from '../../../../src/content/paths/list-pages.ts';

test.each([
  ['auto', [], 1],
  ['auto', [true], 1],
  ['auto', [true, true], 1],
  ['auto', [true, false], 'all'],
  ['all', [true], 'all'],
  [3, [true], 3],
  [1, [], 1],
] as const)('%s where hosts answer all queries %j is %s', (pages, answersAll, expected) => {
  expect(resolveListPages(pages, { answersAll, isDeployed: false })).toBe(expected);
});

test('a target of a deploy may be any host', () => {
  expect(resolveListPages('auto', { answersAll: [], isDeployed: true })).toBe('all');
});
