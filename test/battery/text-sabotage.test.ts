// Promises about texts that anyone may have written: they are read in one pass, and held to fixed limits. Each
// test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ROWS: readonly Row[] = [
  [
    'an image is looked for behind the last one',
    'test/unit/documents/byte-scans.test.ts',
    {
      file: 'src/documents/reading-time.ts',
      replace: 'isImage ? tagEnd : at + IMAGE.length',
      by: 'at + IMAGE.length',
    },
  ],
  [
    'a quotation without an end closes the gate',
    'test/unit/documents/gating-scan.test.ts',
    {
      file: 'src/documents/gating.ts',
      replace: 'if (value === null) return false;',
      by: 'if (value === null) break;',
    },
  ],
  [
    'a body that is too deep is read no further',
    'test/unit/documents/plaintext-scan.test.ts',
    {
      file: 'src/documents/markup-reader.ts',
      replace: 'if (this.isTooDeep) return false;',
      by: '',
    },
  ],
  [
    'lists in lists do not make a text outgrow its html',
    'test/unit/documents/plaintext-scan.test.ts',
    {
      file: 'src/documents/text-writer.ts',
      replace: 'const INDENTED_LISTS_MAX = 10;',
      by: 'const INDENTED_LISTS_MAX = 1_000;',
    },
  ],
  [
    'a body is measured before it is rendered',
    'test/unit/documents/text-limits.test.ts',
    {
      file: 'src/documents/post-document.ts',
      replace: 'const reason = findDepthFault(html.text);',
      by: 'const reason = [null].find(() => true) ?? null;',
    },
  ],
  [
    'a body is measured before it is saved',
    'test/unit/documents/text-limits.test.ts',
    {
      file: 'src/admin/read-html.ts',
      replace: 'if (reading.isTooDeep()) return',
      by: 'if (reading.text() === null) return',
    },
  ],
  [
    'an editor document is measured before it is parsed',
    'test/unit/formats/lexical-document.test.ts',
    {
      file: 'src/formats/lexical-document.ts',
      replace: '{ depthMax: FORMAT_DEPTH_MAX }',
      by: '{ depthMax: Number.POSITIVE_INFINITY }',
    },
  ],
  [
    'a node that no renderer knows is refused',
    'test/unit/formats/lexical-document.test.ts',
    {
      file: 'src/formats/lexical-document.ts',
      replace: 'if (!nodeTypes.has(type)) {',
      by: "if (type === '') {",
    },
  ],
  [
    'a heading names no other element',
    'test/unit/formats/lexical-document.test.ts',
    {
      file: 'src/formats/lexical-document.ts',
      replace: 'if (isHeading(type) && ',
      by: 'if (isHeading(tag) && ',
    },
    'has no heading of the tag',
  ],
  [
    'addresses of the own site are stored with the placeholder in documents',
    'test/unit/formats/lexical-document.test.ts',
    {
      file: 'src/formats/stored-document.ts',
      replace: "if (kind === 'url') return toStoredUrl(value, site);",
      by: "if (kind === 'url') return value;",
    },
  ],
  [
    'a document that was read and is sent back is no change',
    'test/unit/admin/post-formats.test.ts',
    {
      file: 'src/admin/editor-formats.ts',
      replace: '&& text !== shown.nullableText(stored?.[format])',
      by: '',
    },
  ],
  [
    'imported html that is sent back is no change',
    'test/unit/admin/post-formats.test.ts',
    {
      file: 'src/admin/post-html.ts',
      replace: 'isStoredHtml(input.html, source) ? null : readHtmlBody',
      by: 'source.site === undefined ? null : readHtmlBody',
    },
    'imported html',
  ],
  [
    'a document does not outlive the html that it was made for',
    'test/unit/admin/post-formats.test.ts',
    {
      file: 'src/admin/post-html.ts',
      replace: 'await documentOf(dropScripts(given), { site, formats })',
      by: 'stored?.lexical ?? null',
    },
  ],
  [
    'a block for members stays one when html becomes a document',
    'test/unit/formats/opaque-html.test.ts',
    {
      file: 'src/formats/opaque-html.ts',
      replace: '[...findCards(html), ...blocks]',
      by: '(blocks.length < 0 ? blocks : findCards(html))',
    },
    'a block for members stays one',
  ],
  [
    'what follows a block for members is shown as before',
    'test/unit/formats/opaque-html.test.ts',
    {
      file: 'src/formats/opaque-html.ts',
      replace: 'else if (region.end > last.end)',
      by: 'else if (region.end < 0)',
    },
    'a block for members stays one',
  ],
  [
    'what the editor has no node for is kept when html becomes a document',
    'test/unit/formats/opaque-html.test.ts',
    {
      file: 'src/formats/opaque-html.ts',
      replace: 'const isUnknown = hasLinkedPicture || names',
      by: 'const isUnknown = names',
    },
    'is kept as it is',
  ],
  [
    'a text is measured before it is imported',
    'test/unit/importers/skipped-rows.test.ts',
    {
      file: 'src/importers/normalise-row.ts',
      replace: 'return reason === null ? text : { reason };',
      by: 'return reason === null ? text : text;',
    },
  ],
  [
    'a marker of an editor is looked for behind the last one',
    'test/unit/importers/editor-words.test.ts',
    {
      file: 'src/importers/editor-words.ts',
      replace: "if (!cursor.take('],')) continue;",
      by: "if (!new TextCursor(cursor.text).skipTo('],') || !cursor.take('],')) continue;",
    },
  ],
  [
    'no long text is read as a time',
    'test/unit/importers/import-time-scan.test.ts',
    {
      file: 'src/base/time.ts',
      replace: 'if (value.length > TIME_UNITS_MAX) return null;',
      by: '',
    },
  ],
];

tryRows(ROWS);
