import { describe, expect, test } from 'vitest';
import { keepTyped, mergeList } from '../../../../src/serve/desk/ui/fields/draft.ts';

const SENT = { title: 'Sent ', text: 'one', labels: ['a'] as readonly string[] };
const STORED = { title: 'Sent', text: 'one', labels: ['a', 'b'] as readonly string[] };

describe('a form when the answer of a save comes', () => {
  test('keeps what was typed meanwhile, and takes the stored value of all else', () => {
    const now = { ...SENT, text: 'one two' };
    expect(keepTyped(now, { known: SENT, stored: STORED })).toEqual({ ...STORED, text: 'one two' });
  });

  test('is as it is stored when nothing was typed', () => {
    const now = { ...SENT, labels: ['a'] };
    expect(keepTyped(now, { known: SENT, stored: STORED })).toEqual(STORED);
  });
});

test('a list keeps what was added and taken out elsewhere', () => {
  const before = ['one', 'two', 'three'];
  const merged = mergeList({
    before,
    now: ['one', 'three', 'mine'],
    newest: ['two', 'three', 'theirs'],
  });
  expect(merged).toEqual(['three', 'theirs', 'mine']);
});
