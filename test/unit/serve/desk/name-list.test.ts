import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNames, parseNames } from '../../../../src/serve/desk/name-list.ts';

const read = (text: string): string[] => parseNames(text).map(({ name }) => name);

test.each([
  ['Salt, sea', ['Salt', 'sea']],
  ['"Salt, sea", More', ['Salt, sea', 'More']],
  ['  , Say "hi" , ', ['Say "hi"']],
  ['"Say ""hi"", then go"', ['Say "hi", then go']],
  ['"Salt, sea', ['Salt, sea']],
  ['', []],
])('%s', (text, names) => {
  expect(read(text)).toEqual(names);
});

test('each list of names is read as it was written', () => {
  const sign = fc.constantFrom('a', 'b', ' ', ',', '"', '\\');
  const name = fc
    .string({ unit: sign, minLength: 1 })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(name), (names) => {
      expect(read(formatNames(names))).toEqual(names);
    }),
  );
});
