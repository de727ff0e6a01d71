// Promises of the editor of posts. Each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const KEPT = 'test/unit/desk/editor/kept-nodes.test.ts';

const ROWS: readonly Row[] = [
  [
    'a card is written back byte for byte',
    KEPT,
    {
      file: 'src/desk/editor/open-document.ts',
      replace: '$createCardNode(sliceOf(reading, place))',
      by: '$createCardNode(JSON.stringify(JSON.parse(sliceOf(reading, place))))',
    },
    'all other blocks stay byte for byte',
  ],
  [
    'a block that was not edited is written back byte for byte',
    KEPT,
    {
      file: 'src/desk/editor/write-document.ts',
      replace: 'return source.text.slice(source.place.start, source.place.end);',
      by: 'return JSON.stringify(JSON.parse(source.text.slice(source.place.start, source.place.end)));',
    },
    'all other blocks stay byte for byte',
  ],
  [
    'a document that was not edited is the same text',
    KEPT,
    {
      file: 'src/desk/editor/write-document.ts',
      replace: 'if ($fingerprint(root) === opened.fingerprint) return opened.text;',
      by: '',
    },
    'is the same text, whatever stands in it',
  ],
  [
    'neighbouring texts that became one are not written as the first of them',
    KEPT,
    {
      file: 'src/desk/editor/open-document.ts',
      replace: '!$isTextNode(node) || form.text === one.fields.text',
      by: 'one !== undefined',
    },
    'texts that became one are written whole',
  ],
  [
    'a text that is typed and deleted again is saved',
    'test/unit/desk/editor/empty-documents.test.ts',
    {
      file: 'src/desk/editor/open-document.ts',
      replace: '(block: string = EMPTY_PARAGRAPH)',
      by: "(block: string = '')",
    },
    'a new document has an empty paragraph',
  ],
];

tryRows(ROWS);
