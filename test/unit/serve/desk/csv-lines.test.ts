import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, createLineCounter } from '../../../../src/serve/desk/csv-lines.ts';

test.each([
  ['', 0],
  ['email', 0],
  ['email\n', 0],
  ['email\na@b.c', 1],
  ['\ufeffemail\r\na@b.c\r\nd@e.f\r\n', 2],
  ['\ufeff"email",note\na@b.c,x\n', 1],
  ['email\ra@b.c\r\r', 1],
  ['email\n\n\na@b.c\n\n', 1],
  ['email,note\na@b.c,"one\ntwo\r\n\n three"\nd@e.f,\n', 2],
  ['email,note\na@b.c,"say ""hi""\n,""",\nd@e.f,""\n', 2],
  ['email;note\na@b.c;\n;\n;\n', 1],
  ['email;note\na@b.c;"one\ntwo"\n', 1],
  ['email\tnote\na@b.c\t"one\ntwo"\n', 1],
  ['sep=;\r\nemail;note\r\na@b.c;\r\n', 1],
  // The server refuses that line, and reads on after it.
  ['email,note\na@b.c,O"Neil\nd@e.f,x\n', 2],
])('%j holds %i records', async (text, records) => {
  expect(await countLines(new Blob([text]))).toBe(records);
});

test.each(['utf16le', 'utf16be'])(
  "records of Excel's text in Unicode are counted: %s",
  async (order) => {
    // Letters that have bytes of a line break, a quotation mark and a comma.
    const text = Buffer.from(
      '\ufeffemail\tname\r\na@b.c\t"one\ntwo"\r\nd@e.f\tĊഅ∬Ⰼ\r\n',
      'utf16le',
    );
    const bytes = order === 'utf16be' ? text.swap16() : text;
    expect(await countLines(new Blob([bytes]))).toBe(2);
  },
);

const FIELD = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n') });

test('records are counted whatever their fields hold and wherever they are cut', () => {
  const rows = fc.array(fc.array(FIELD, { minLength: 2, maxLength: 3 }), { minLength: 1 });
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 7 }),
      (...of) => {
        const [records, lineBreak, size] = of;
        const lines = records.map((fields) =>
          fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','),
        );
        const text = lines.join(lineBreak);
        const counter = createLineCounter();
        for (let at = 0; at < text.length; at += size) counter.add(text.slice(at, at + size));
        expect(counter.total()).toBe(records.length - 1);
      },
    ),
  );
});
