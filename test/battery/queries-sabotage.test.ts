// Promises of the executor: the same bytes as the oracle's, of one state of the publication, with few reads. Each test
// must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ORACLE = 'test/property/queries.test.ts';
const ANSWER = 'test/unit/queries/answer.test.ts';
const LIST_QUERY = 'test/unit/queries/list-query.test.ts';

const ROWS: readonly Row[] = [
  [
    'an answer is begun once more where a blob is gone',
    ANSWER,
    {
      file: 'src/queries/answer.ts',
      replace: 'if (!isMissingBlob(error)) throw error;',
      by: 'if (isMissingBlob(error) || error) throw error;',
    },
  ],
  [
    'an answer reads no second root for its records',
    ANSWER,
    {
      file: 'src/queries/answer.ts',
      replace: 'return answer(true);',
      by: 'return answer(false);',
    },
  ],
  [
    'a tree of another format is not read',
    ANSWER,
    {
      file: 'src/queries/answer.ts',
      replace: 'root.format !== TREE_FORMAT',
      by: 'root.format === -TREE_FORMAT',
    },
  ],
  [
    'what a record was looked up by is always shown',
    ORACLE,
    {
      file: 'src/queries/answer.ts',
      replace: 'fields: fields.concat(name)',
      by: 'fields: fields.concat([])',
    },
  ],
  [
    'the previous page of one past the end is the last one',
    ORACLE,
    {
      file: 'src/queries/answer.ts',
      replace: 'Math.min(query.page - 1, pages)',
      by: 'query.page - 1',
    },
  ],
  [
    'a time is compared as it is asked for',
    ORACLE,
    {
      file: 'src/queries/window.ts',
      replace: "operator === '>=' || operator === '<');",
      by: "operator === '>=' || operator === '<=');",
    },
  ],
  [
    'bounds of times are no longer looked at as conditions',
    ANSWER,
    {
      file: 'src/queries/window.ts',
      replace: "part.kind === 'time' &&",
      by: "part.kind === 'time' && part.times.length > 1 &&",
    },
  ],
  [
    'a first tag that is internal is no primary one',
    ORACLE,
    {
      file: 'src/queries/look-up.ts',
      replace: "condition.isPrimary && family === 'tags'",
      by: "condition.isPrimary && family !== 'tags'",
    },
  ],
  [
    'an internal first tag is not shown as primary',
    ORACLE,
    {
      file: 'src/queries/write-records.ts',
      replace: 'first?.isPublic ? first.json : NULL',
      by: 'first ? first.json : NULL',
    },
  ],
  [
    'with fields, primary ones have to be named',
    ORACLE,
    {
      file: 'src/queries/write-records.ts',
      replace: 'fields === null || fields.indexOf(key) !== -1;',
      by: 'fields !== undefined;',
    },
  ],
  [
    'links of each record end where those of the next begin',
    ORACLE,
    {
      file: 'src/queries/mark.ts',
      replace: 'mark.isPrimary && all > first ? first + 1 : all',
      by: 'mark.isPrimary || all > first ? first + 1 : all',
    },
  ],
  [
    'columns of a window begin where it does',
    ORACLE,
    {
      file: 'src/queries/mark.ts',
      replace: 'to: from - range.from,',
      by: 'to: from - Math.max(range.from, 1) + (range.from > 0 ? 1 : 0),',
    },
  ],
  [
    'records of equal times stand in the order of titles where they should',
    ORACLE,
    {
      file: 'src/queries/index-table.ts',
      replace: '(keys[a] as Key).id < (keys[b] as Key).id ? -1 : 1',
      by: '(keys[a] as Key).id < (keys[b] as Key).id ? 1 : -1',
    },
  ],
  [
    'an index is read from the blob in which a slug may begin',
    ORACLE,
    {
      file: 'src/queries/index-table.ts',
      replace: 'const last = countBefore(entries, wanted.value, true);',
      by: 'const last = countBefore(entries, wanted.value, false);',
    },
  ],
  [
    'a quotation mark behind two backslashes ends a text',
    ORACLE,
    {
      file: 'src/queries/pick-fields.ts',
      replace: '(quote - at) % 2 === 1',
      by: 'quote > at',
    },
  ],
  [
    'braces within texts of a nested value are no braces',
    ORACLE,
    {
      file: 'src/queries/pick-fields.ts',
      replace: 'if (byte === QUOTE) at = textEnd(bytes, at) - 1;',
      by: 'if (byte === QUOTE) at += 0;',
    },
  ],
  [
    'slugs that are listed are an order',
    ORACLE,
    {
      file: 'src/queries/slug-list.ts',
      replace: '(places[a] as number) - (places[b] as number)',
      by: '(places[a] as number) * 0',
    },
  ],
  [
    'the columns of a lone tag are read on until the page is full',
    ORACLE,
    {
      file: 'src/queries/lone-term.ts',
      replace: 'at < entries.length && seen < to;',
      by: 'at < Math.min(entries.length, 1) && seen < to;',
    },
  ],
  [
    'the worst of the best is found again when it is replaced',
    ORACLE,
    {
      file: 'src/queries/select-page.ts',
      replace: 'sink(heap, 0, compare);',
      by: '',
    },
  ],
  [
    'as the last clause, the published time means the id too',
    ORACLE,
    {
      file: 'src/queries/order-positions.ts',
      replace: "if (field === 'published_at' && wanted.isLast) {",
      by: "if (field === 'published_at') {",
    },
  ],
  [
    'a clause after the published time counts',
    LIST_QUERY,
    {
      file: 'src/queries/order.ts',
      replace: 'isMeant && last.isDown === before.isDown',
      by: 'isMeant',
    },
  ],
  [
    'a clause on the status is true, whatever it says',
    ORACLE,
    {
      file: 'src/queries/condition.ts',
      replace: "part.kind === 'constant' && part.isTrue ? part : ",
      by: '',
    },
  ],
  [
    'only fields that are listed are fields',
    LIST_QUERY,
    {
      file: 'src/queries/condition.ts',
      replace: 'Object.assign(Object.create(null), some, others)',
      by: 'Object.assign({}, some, others)',
    },
  ],
  [
    'a limit with a sign is refused',
    LIST_QUERY,
    {
      file: 'src/queries/list-query.ts',
      replace: 'if (!NUMERIC.test(text)) return max;',
      by: 'if (!DIGITS.test(text)) return max;',
    },
  ],
  [
    'days that no month has are no times',
    'test/unit/queries/time-value.test.ts',
    {
      file: 'src/queries/time-value.ts',
      replace: 'return isDay ? date.getTime() : Number.NaN;',
      by: 'return isDay ? date.getTime() : date.getTime();',
    },
  ],
  [
    'capitals of any script are found by small letters',
    ORACLE,
    {
      file: 'src/queries/text-test.ts',
      replace: 'folded += foldUnit(text.charAt(at));',
      by: 'folded += text.charAt(at);',
    },
  ],
  [
    'space that means something stays in a normal query',
    'test/unit/queries/normal-query.test.ts',
    {
      file: 'src/queries/normal-query.ts',
      replace: "if (isQuoted || before === '\\\\' ||",
      by: 'if (',
    },
  ],
  [
    'the longest unused blobs go first',
    'test/unit/queries/tree-store.test.ts',
    {
      file: 'src/queries/tree-store.ts',
      replace: '      unlink(known);\n      linkNewest(head, known);\n',
      by: '',
    },
  ],
  [
    'a read that failed is forgotten',
    'test/unit/queries/tree-store.test.ts',
    {
      file: 'src/queries/tree-store.ts',
      replace: '      forget(blob);\n    });',
      by: '    });',
    },
  ],
];

tryRows(ROWS);
