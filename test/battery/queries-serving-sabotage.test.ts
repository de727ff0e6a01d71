// Promises about how the companion server answers queries: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const HTTP = 'test/unit/server/content-queries.test.ts';
const LONG = 'test/unit/server/query-document.test.ts';
const READERS = 'test/failure/readers-beside-publishes.test.ts';

const ROWS: readonly Row[] = [
  [
    'the root is placed after the blobs that it names',
    READERS,
    {
      file: 'src/emit/replace-session.ts',
      replace: 'await durability.syncPaths(root, await placer.rename(leaves, folders));',
      by: `const placed = await placer.rename(lists.splice(0), listFolders);
        await durability.syncPaths(root, placed);
        await durability.syncPaths(root, await placer.rename(leaves, folders));`,
    },
    'blobs kept for 24 hours',
  ],
  [
    'a root is read again once a build has ended',
    READERS,
    {
      file: 'src/server/content/file-cache.ts',
      replace: 'entry?.version !== version ||',
      by: 'entry === undefined ||',
    },
    'blobs kept for 24 hours',
  ],
  [
    'what means a default list is answered from its file',
    HTTP,
    {
      file: 'src/hosts/edge/plan-answer.ts',
      replace: 'if (found === null)',
      by: 'if (found === null || found.page > 0)',
    },
    'default lists are files',
  ],
  [
    'a page that is no file is answered from the packed tree',
    HTTP,
    {
      file: 'src/hosts/edge/plan-answer.ts',
      replace: 'query.page === 1',
      by: 'query.page > 0',
    },
    'default lists are files',
  ],
  [
    'a record with plain text is no file',
    HTTP,
    {
      file: 'src/queries/normal-query.ts',
      replace: ' && !shape.hasPlaintext',
      by: '',
    },
    'records take fields',
  ],
  [
    'a record is found by slug as its files say',
    HTTP,
    {
      file: 'src/server/content/content-queries.ts',
      replace: "{ column, value: id, shown: 'slug' }",
      by: '{ column, value: id }',
    },
    'records take fields',
  ],
  [
    'an answer whose blobs are gone is begun once more with the root of now',
    HTTP,
    {
      file: 'src/server/content/tree-source.ts',
      replace: 'await cache.readNow(path)',
      by: 'await cache.read(path)',
    },
    'while a build places its files',
  ],
  [
    'a blob that is gone twice is 503',
    HTTP,
    {
      file: 'src/server/content/content-queries.ts',
      replace: 'isMissingBlob(error) ?',
      by: 'error === null ?',
    },
    'a root whose blobs are gone',
  ],
  [
    'a tree of another format answers nothing',
    HTTP,
    {
      file: 'src/server/content/tree-source.ts',
      replace: 'root?.format === TREE_FORMAT &&',
      by: 'root?.format !== -1 &&',
    },
    'without a packed tree',
  ],
  [
    'only queries are noted',
    HTTP,
    {
      file: 'src/server/content/content-queries.ts',
      replace: "plan.kind === 'list' && plan.file === null &&",
      by: "(plan.kind === 'record' || plan.file === null) &&",
    },
    'queries that are answered are noted',
  ],
  [
    'an answer that is given again is counted',
    HTTP,
    {
      file: 'src/server/content/answer-cache.ts',
      replace: 'answer.onGiven();',
      by: '',
    },
    'queries that are answered are noted',
  ],
  [
    'a refusal has its property',
    HTTP,
    {
      file: 'src/queries/query-problem.ts',
      replace: 'property: fault.property,',
      by: "property: '',",
    },
    'is refused in one sentence',
  ],
  [
    'long answers leave ticks to others',
    LONG,
    {
      file: 'src/server/content/query-document.ts',
      replace: 'if (from === answer.records ||',
      by: 'if (from > 0 ||',
    },
  ],
  [
    'long bodies are not held',
    LONG,
    {
      file: 'src/server/content/query-document.ts',
      replace: 'bytes > FILE_BYTES_MAX',
      by: 'bytes < 0',
    },
  ],
  [
    'bodies in the making are counted',
    LONG,
    { file: 'src/server/content/query-document.ts', replace: 'room.add(part.bytes);', by: '' },
  ],
  [
    'what is counted is given back',
    LONG,
    {
      file: 'src/server/connections/answer-memory.ts',
      replace: 'total -= reserved;',
      by: '',
    },
  ],
  [
    'heavy filters leave ticks to others',
    LONG,
    {
      file: 'src/queries/find-records.ts',
      replace: 'if (from < to) await source.store.tick();',
      by: '',
    },
  ],
  ['failed work makes room', LONG, { file: 'src/base/lanes.ts', replace: 'else next();', by: '' }],
];

tryRows(ROWS);
