// The scanner of editors' documents finds what the expressions found that define it, in steps that grow with
// the document alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasWords } from '../../../../src/publication/import/intake/editor-words.ts';
import { expectLinear } from '../../../helpers/counted-scans.ts';

const defined = (document: string): boolean =>
  /"text":"[^"]/.test(document) ||
  /\[0,\[[^\]]*\],\d+,"[^"]/.test(document) ||
  /"cards":\[\[/.test(document) ||
  /"type":"(?!(?:root|paragraph|extended-text|text|linebreak|link|list|listitem|heading|extended-heading|quote|extended-quote|aside|tk|autolink)")/.test(
    document,
  );

const document = fc
  .array(
    fc.constantFrom(
      ...['"text":"', '"', 'a', '[0,[', ']', '],', '],0,"', '0', ',', ',"', '[', '"cards":[['],
      ...['"type":"', '"type":"root"', '"type":"text"', '"type":"card"', 'root', 'paragraph', ':'],
    ),
    { maxLength: 10 },
  )
  .map((pieces) => pieces.join(''));

test('finds words where the definition does', () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(hasWords(text)).toBe(defined(text));
    }),
    { numRuns: 10_000 },
  );
  expect(hasWords(null)).toBe(false);
});

test('reads hostile documents in steps that grow with them', () => {
  const hostile = ['[0,[', '[0,[]', '[0,[],', '[0,[],1,"', '"text":"', '"type":"', '"type":"root"'];
  expectLinear(
    [...hostile, ']', '"'].map((piece) => ({ piece })),
    hasWords,
  );
});
