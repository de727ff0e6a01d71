// Promises of Ghost's shape. Each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const SHAPE = 'test/unit/builder/ghost-shape.test.ts';
const POST = 'src/documents/ghost-post.ts';

const ROWS: readonly Row[] = [
  [
    'what is included stands before url',
    SHAPE,
    {
      file: 'src/queries/write-records.ts',
      replace: 'isGhost ? urlAt(json) : json.length - 1',
      by: 'json.length - 1',
    },
    'of a post, with what is included before url',
  ],
  [
    'a post without a body has no excerpt',
    SHAPE,
    {
      file: POST,
      replace: "excerpt === '' && state !== 'withheld' && !isCut ? null",
      by: 'isCut ? null',
    },
    'what is empty is absent or null',
  ],
  [
    'what was cut is plain text too',
    SHAPE,
    { file: POST, replace: "state === 'cut' && html !== ''", by: "state === 'whole'" },
    'what is empty is absent or null',
  ],
  [
    'plain text stands in a record once',
    SHAPE,
    {
      file: 'src/documents/post-document.ts',
      replace: 'shaped.rest?.plaintext === undefined ? body.plain : NO_TEXT',
      by: 'body.plain',
    },
    'what is empty is absent or null',
  ],
  [
    'a gated post shows the tiers that open it',
    SHAPE,
    { file: POST, replace: "visibility === 'paid' ? PAID_TIERS : ALL_TIERS", by: 'ALL_TIERS' },
    'are those that a post asks for',
  ],
  [
    'archived tiers are not listed',
    SHAPE,
    {
      file: 'src/documents/tiers-document.ts',
      replace: '.filter(({ active }) => flag(active))',
      by: '',
    },
    'are a list of the active ones',
  ],
  [
    'nobody comments who has no access, or where nobody does',
    SHAPE,
    { file: POST, replace: 'body.access && hasComments', by: 'body.access' },
    'comments follow their setting',
  ],
  [
    'the list of tiers goes with the shape',
    SHAPE,
    { file: 'src/builder/fixed-documents.ts', replace: 'else remove(context, file);', by: '' },
    'the other shape leaves nothing',
  ],
];

tryRows(ROWS);
