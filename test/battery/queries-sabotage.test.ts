// Promises of the executor: the same bytes as the oracle's, of one state of the publication, with few reads. Each test
// must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ORACLE = 'test/property/queries.test.ts';
const ANSWER = 'test/unit/queries/answer.test.ts';
const LIST_QUERY = 'test/unit/queries/list-query.test.ts';

const ADDRESSES = 'test/unit/queries/answer-address.test.ts';

const ROWS: readonly Row[] = [
  [
    'a slug is found in every normal form of Unicode',
    ADDRESSES,
    { file: 'src/queries/answer-address.ts', replace: "slug.normalize('NFD')", by: 'slug' },
    'a slug is found in every normal form',
  ],
  [
    'a blob that stays away is a refusal that can be tried again',
    ADDRESSES,
    {
      file: 'src/queries/answer-address.ts',
      replace: '!isQueryProblem(thrown) && !isMissingBlob(thrown)',
      by: '!isQueryProblem(thrown)',
    },
    'a blob that stays away',
  ],
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
      by: '(query.page - 1)',
    },
  ],
  [
    'a time is compared as it is asked for',
    ORACLE,
    {
      file: 'src/queries/filter-fields.ts',
      replace: 'source.countNewer(ms, !isEqual)',
      by: 'source.countNewer(ms, isEqual)',
    },
  ],
  [
    'bounds of times are no longer looked at as conditions',
    ANSWER,
    {
      file: 'src/queries/filter-fields.ts',
      replace: "field === 'published_at' && times.length === 1",
      by: "field === 'published_at' && times.length === 0",
    },
  ],
  [
    'a first tag that is internal is no primary one',
    ORACLE,
    {
      file: 'src/queries/term-fields.ts',
      replace: "(!isPrimary || keys.visibility[place] === 'public')",
      by: "(!isPrimary || keys.visibility[place] !== '')",
    },
  ],
  [
    'an internal first tag is not shown as primary',
    ORACLE,
    {
      file: 'src/queries/write-records.ts',
      replace: "included.family !== 'tags' || decodeText(json).indexOf(PUBLIC) !== -1",
      by: "included.family !== 'tags' || decodeText(json).indexOf(PUBLIC) !== -2",
    },
  ],
  [
    'with fields, primary ones have to be named',
    ORACLE,
    {
      file: 'src/queries/write-records.ts',
      replace: 'fields ? fields.indexOf(name) !== -1 : family !== TIERS',
      by: 'family !== TIERS',
    },
  ],
  [
    'links of each record end where those of the next begin',
    ORACLE,
    {
      file: 'src/queries/term-fields.ts',
      replace: 'isPrimary ? Math.min(first + 1, all) : all',
      by: 'isPrimary ? first + 1 : all',
    },
  ],
  [
    'columns of a window begin where it does',
    ORACLE,
    {
      file: 'src/queries/columns.ts',
      replace: 'return read(position - from);',
      by: 'return read(Math.max(0, position - from - 1));',
    },
  ],
  [
    'records of equal times stand in the order of titles where they should',
    ORACLE,
    {
      file: 'src/queries/index-table.ts',
      replace: '(a.id > b.id ? -1 : 1)',
      by: '(a.id > b.id ? 1 : -1)',
    },
  ],
  [
    'an index is read from the blob in which a slug may begin',
    ORACLE,
    {
      file: 'src/queries/index-table.ts',
      replace: 'first(at) <= value',
      by: 'first(at) < value',
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
      file: 'src/queries/order-positions.ts',
      replace: 'listed.indexOf(position)',
      by: 'listed.indexOf(-1)',
    },
  ],
  [
    'the columns of a lone tag are read on until the page is full',
    ORACLE,
    {
      file: 'src/queries/find-records.ts',
      replace: 'from < end && matched.length < wanted.enough;',
      by: 'from < Math.min(end, 128) && matched.length < wanted.enough;',
    },
  ],
  [
    'the worst of the best is found again when it is replaced',
    ORACLE,
    {
      file: 'src/queries/order-positions.ts',
      replace: 'worst = best[page.to - 1] as number;',
      by: 'if (worst === -1) worst = best[0] as number;',
    },
  ],
  [
    'as the last clause, the published time means the id too',
    ORACLE,
    {
      file: 'src/queries/order.ts',
      replace: "clause.field === 'published_at' && at === clauses.length - 1",
      by: "clause.field === 'published_at' && at >= 0",
    },
  ],
  [
    'a clause after the published time counts',
    'test/unit/queries/normal-query.test.ts',
    {
      file: 'src/queries/normal-query.ts',
      replace: 'isMeant && last.isDown === before.isDown',
      by: 'isMeant',
    },
  ],
  [
    'a clause on the status is true, whatever it says',
    ORACLE,
    {
      file: 'src/queries/condition.ts',
      replace: 'part === ALWAYS ? part',
      by: 'part === NEVER ? part',
    },
  ],
  [
    'only fields that are listed are fields',
    LIST_QUERY,
    {
      file: 'src/queries/filter-fields.ts',
      replace: 'Object.assign(Object.create(null), fields)',
      by: 'Object.assign({}, fields)',
    },
  ],
  [
    'a limit with a sign is refused',
    LIST_QUERY,
    {
      file: 'src/queries/list-query.ts',
      replace: "name === 'limit' ? /^[+-]?[0-9]/",
      by: "name === 'limit' ? /^[0-9]+$/",
    },
  ],
  [
    'days that no month has are no times',
    'test/unit/queries/time-value.test.ts',
    {
      file: 'src/queries/time-value.ts',
      replace: 'isPart && date.toJSON() === time ?',
      by: 'isPart && date.toJSON() !== null ?',
    },
  ],
  [
    'capitals of any script are found by small letters',
    ORACLE,
    {
      file: 'src/queries/text-test.ts',
      replace: ".map(foldUnit).join('')",
      by: ".join('')",
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
      replace: 'if (blob !== undefined) keep(name, blob.value, blob.bytes);',
      by: 'if (blob !== undefined) kept[name] = blob;',
    },
  ],
  [
    'a read that failed is forgotten',
    'test/unit/queries/tree-store.test.ts',
    {
      file: 'src/queries/tree-store.ts',
      replace: 'value.then(end, end);',
      by: 'value.then(end, () => undefined);',
    },
  ],
];

tryRows(ROWS);
