// A document without blocks cannot be rendered: what the editor opens, and so writes back, has one.
import { expect, test } from 'vitest';
import { documentOf, withBlock } from '../../../../../src/serve/desk/editor/open-document.ts';
import { wrap } from './documents.ts';

const childrenOf = (text: string): { type: string }[] =>
  (JSON.parse(text) as { root: { children: { type: string }[] } }).root.children;

test('a new document has an empty paragraph', () => {
  expect(childrenOf(documentOf())).toMatchObject([{ type: 'paragraph', children: [] }]);
});

test('a stored document without blocks gets one, and all else in it stays', () => {
  const text = wrap([]);
  const [before, after] = text.split('[]');
  const opened = withBlock(text);
  expect(childrenOf(opened)).toMatchObject([{ type: 'paragraph', children: [] }]);
  expect(opened.startsWith(before ?? '')).toBe(true);
  expect(opened.endsWith(after ?? '')).toBe(true);
});

test.each([wrap(['{"type":"paywall"}']), '', 'null', '{"root":{}}'])(
  'any other text stays as it is: %s',
  (text) => expect(withBlock(text)).toBe(text),
);
