// Promises about rows that cannot be rendered: each test must fail on a source that breaks its promise, and not
// because the source no longer runs.
import { type Row, tryRows } from './sabotaged-tests.ts';

const keptRow = 'src/builder/kept-row.ts';
const contentKeys = 'src/store/sqlite/content-keys.ts';
const postSources = 'src/store/sqlite/post-sources.ts';
const setAside = 'src/builder/set-aside.ts';
const asideContent = 'src/store/sqlite/aside-content.ts';
const asideReader = 'src/store/sqlite/aside-reader.ts';
const shownStates = 'src/delivery/shown-states.ts';

const KEPT = 'test/unit/builder/set-aside.test.ts';
const ROUNDS = 'test/unit/builder/set-aside-rounds.test.ts';
const PUBLISHED = 'test/unit/publisher/set-aside-rows.test.ts';
const RUN_BUILD = 'test/unit/builder/run-build.test.ts';
const ODD_COLUMNS = 'test/unit/builder/odd-columns.test.ts';
const EQUAL = 'test/property/incremental-equals-full.test.ts';

const ROWS: readonly Row[] = [
  [
    'a row that is gated as it breaks leaves',
    KEPT,
    { file: keptRow, replace: 'newest.isGated ? null : newest.row', by: 'newest.row' },
    'absent everywhere',
  ],
  [
    'a row that is gated while it is broken leaves',
    KEPT,
    { file: keptRow, replace: 'rank(known) < strictest || ', by: '' },
    'while it is broken',
  ],
  [
    'no document is more open than its row',
    EQUAL,
    { file: keptRow, replace: 'newest.isGated ? null : newest.row', by: 'newest.row' },
    'after any edits',
  ],
  [
    'a draft that breaks as it is published stays unseen',
    KEPT,
    { file: keptRow, replace: ' || strictest === CLOSED', by: '' },
    'a draft',
  ],
  [
    'a gate that opens as the row breaks stays shut',
    KEPT,
    { file: keptRow, replace: 'rank(newest.row) < rank(known)', by: 'rank(newest.row) < 0' },
    'stays shut',
  ],
  [
    'a broken row is not shown in place of the earlier one',
    KEPT,
    {
      file: asideContent,
      replace: 'if (kept === null) return source;',
      by: 'if (kept === null || post.id !== undefined) return source;',
    },
    'keeps its document',
  ],
  [
    'tags of posts that are not shown leave with them',
    KEPT,
    {
      file: asideContent,
      replace: "table === 'posts' || aside.isEmpty()",
      by: 'table !== undefined',
    },
    'absent everywhere',
  ],
  [
    'a mended row is shown',
    KEPT,
    { file: asideReader, replace: 'row.seq >= 0 && later === undefined', by: 'row.seq >= 0' },
    'a mended row',
  ],
  [
    'a mended row is named no longer',
    PUBLISHED,
    { file: 'src/publisher/announce.ts', replace: 'await removeSetAside(writer, mended);', by: '' },
    'deleted',
  ],
  [
    'a living row keeps its address',
    KEPT,
    {
      file: asideReader,
      replace: 'while (isTaken(slug))',
      by: "while (isTaken(slug) && slug === '')",
    },
    'a living row keeps its address',
  ],
  [
    'an earlier version has its address back',
    KEPT,
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'known.get(id)?.slug !== slug',
      by: "known.get(id)?.slug === '' && slug === ''",
    },
    'address',
  ],
  [
    'a REPLACE is no removal',
    KEPT,
    { file: 'src/store/earlier-rows.ts', replace: 'if (!isReplacing) yield', by: 'yield' },
    'REPLACE',
  ],
  [
    'a strict build fails for rows that were set aside before',
    PUBLISHED,
    {
      file: setAside,
      replace: 'isStrict && broken.length > 0',
      by: 'isStrict && broken.length < 0',
    },
    'a strict build',
  ],
  [
    'a row is looked at again by a program that may render it',
    PUBLISHED,
    {
      file: setAside,
      replace: 'await store.write((writer) => outdateSetAside(writer, [...mended]));',
      by: '',
    },
    'also unchanged',
  ],
  [
    'a fault of the program is not taken for one of all rows',
    ROUNDS,
    { file: setAside, replace: 'unexpected.length > UNEXPECTED_MAX', by: 'unexpected.length < 0' },
    'leaves the tree',
  ],
  [
    'an earlier version that fails is not handed out again',
    ROUNDS,
    {
      file: 'src/builder/judge-rows.ts',
      replace: ' || known?.isCurrent === true)',
      by: ')',
    },
    'fails as well',
  ],
  [
    'a broken edit is not announced',
    PUBLISHED,
    {
      file: shownStates,
      replace: 'return kept === null ? state : withKept(state, kept);',
      by: 'return kept === null ? withKept(state, { row: {}, meta: null }) : state;',
    },
    'when it is mended',
  ],
  [
    'a broken record that leaves is announced',
    PUBLISHED,
    {
      file: shownStates,
      replace: 'seq < entry.hiddenSeq ? state : asDraft(state)',
      by: 'asDraft(state) && state',
    },
    'unpublished',
  ],
  [
    'verify names rows that cannot be rendered',
    RUN_BUILD,
    { file: 'src/builder/verify.ts', replace: '() => verifyRows(input),', by: '' },
    'verify names rows',
  ],
  [
    'a slug of bytes fails no build',
    KEPT,
    { file: contentKeys, replace: 'slug: toText(slug),', by: 'slug: slug as string,' },
    'any bytes',
  ],
  [
    'the row that is rendered is the one that is judged',
    ODD_COLUMNS,
    { file: postSources, replace: ': spellBytes(values[at]);', by: ': values[at];' },
    'no bytes',
  ],
  [
    'tags and authors are read as they are judged',
    KEPT,
    {
      file: 'src/store/sqlite/cached-rows.ts',
      replace: 'toDocumentRow(table, shown) as Row',
      by: 'shown as Row',
    },
    'not made of',
  ],
  [
    'an earlier row is judged by its documents',
    KEPT,
    {
      file: 'src/builder/judge-rows.ts',
      replace: "...toDocumentRow('posts', row) };",
      by: '...row };',
    },
    'what documents are made of',
  ],
  [
    'an earlier row is kept as it was rendered',
    KEPT,
    {
      file: 'src/store/set-aside.ts',
      replace: 'JSON.stringify(kept, nameInfinity)',
      by: 'JSON.stringify(kept)',
    },
    'infinite',
  ],
  [
    'a setting may be stored as bytes',
    ODD_COLUMNS,
    {
      file: 'src/store/sqlite/snapshot.ts',
      replace: 'value === null ? null : toText(value)',
      by: 'value as string',
    },
    'bytes of a zone',
  ],
];

tryRows(ROWS);
