// Promises about what stands around the content tree (pages that are files, addresses, headers, asked queries): each
// test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ROWS: readonly Row[] = [
  [
    'further pages are files where no host is named',
    'test/unit/paths/list-pages.test.ts',
    { file: 'src/paths/list-pages.ts', replace: 'hosts.length > 0 && ', by: '' },
  ],
  [
    'further pages are files where one host runs no queries',
    'test/unit/paths/list-pages.test.ts',
    { file: 'src/paths/list-pages.ts', replace: 'hosts.every(', by: 'hosts.some(' },
  ],
  [
    'a limit of one list names the setting of all lists',
    'test/unit/config/load.test.ts',
    { file: 'src/config/load.ts', replace: 'if (LIST_LIMIT.test(name))', by: 'if (name === "")' },
  ],
  [
    'the content key guards the packed tree',
    'test/unit/server/packed-files.test.ts',
    {
      file: 'src/paths/files.ts',
      replace: 'DOCUMENT_FOLDERS.concat([PACKED_FOLDER])',
      by: 'DOCUMENT_FOLDERS',
    },
  ],
  [
    'the content key guards what search reads',
    'test/unit/server/packed-files.test.ts',
    {
      file: 'src/paths/files.ts',
      replace: "  'tiers',\n  SEARCH_FOLDER,",
      by: "  'tiers',",
    },
  ],
  [
    'no shared cache keeps a guarded blob',
    'test/unit/server/packed-files.test.ts',
    {
      file: 'src/paths/headers.ts',
      replace: 'isGuarded ? GUARDED_BLOB_CACHE : BLOB_CACHE',
      by: 'BLOB_CACHE',
    },
  ],
  [
    'the root of the packed tree is asked for again each time',
    'test/unit/server/packed-files.test.ts',
    {
      file: 'src/paths/headers.ts',
      replace: 'if (!isBlob(file)) return DOCUMENT_CACHE;',
      by: "if (file.slice(0, 7) !== 'packed/') return DOCUMENT_CACHE;",
    },
  ],
  [
    'only blobs are kept for ever (nginx)',
    'test/matrix/nginx.test.ts',
    {
      file: 'src/hosts/nginx/http-rules.ts',
      replace: 'blobName(ANY_BLOB)',
      by: '".*"',
    },
    'root.json',
  ],
  [
    'only blobs are kept for ever (Caddy)',
    'test/matrix/caddy.test.ts',
    {
      file: 'src/hosts/caddy/files.ts',
      replace: 'blobName(ANY_BLOB)',
      by: '".*"',
    },
    'root.json',
  ],
  [
    'an absent blob is not kept for ever (Apache)',
    'test/matrix/apache.test.ts',
    {
      file: 'src/hosts/apache/files.ts',
      replace: '-ge 400 && -z %{reqenv:',
      by: '-ge 500 && -z %{reqenv:',
    },
    '0b0b',
  ],
  [
    'blobs that are gone are forgotten by caches',
    'test/unit/deploy/changes.test.ts',
    {
      file: 'src/deploy/changes.ts',
      replace: 'isBlob(findDocument(file) ?? file) && fresh.has(file)',
      by: 'false',
    },
  ],
  [
    'asked queries are written beside the answers',
    'test/unit/server/queries-seen.test.ts',
    {
      file: 'src/server/queries-seen.ts',
      replace: 'timer ??= setTimeout(flush, GATHER_MS).unref();',
      by: 'flush();',
    },
  ],
  [
    'what a build keeps from being written is written later',
    'test/unit/server/queries-seen.test.ts',
    {
      file: 'src/server/queries-seen.ts',
      replace: 'if (log.add([...waiting.values()])) waiting.clear();',
      by: 'if (log.add([...waiting.values()]) || true) waiting.clear();',
    },
  ],
  [
    'no query that may name a person is kept',
    'test/unit/server/queries-seen.test.ts',
    { file: 'src/server/queries-seen.ts', replace: ' && !AT_SIGN.test(query)', by: '' },
  ],
  [
    'the least used of the asked queries are dropped',
    'test/unit/server/queries-seen.test.ts',
    {
      file: 'src/store/sqlite/asked-queries.ts',
      replace: 'ORDER BY rank, asked_at',
      by: 'ORDER BY asked_at',
    },
  ],
  [
    'an asked query can become usual among 500 others',
    'test/unit/server/queries-seen.test.ts',
    {
      file: 'src/store/sqlite/asked-queries.ts',
      replace: 'count + is_added * coalesce',
      by: 'count + 0 * coalesce',
    },
  ],
  [
    'nobody waits for a build to write the asked queries',
    'test/unit/server/queries-seen.test.ts',
    { file: 'src/store/sqlite/asked-queries.ts', replace: 'timeout: 0,', by: 'timeout: 21_000,' },
  ],
  [
    'search finds no internal tag',
    'test/unit/builder/search-index.test.ts',
    {
      file: 'src/builder/search-index.ts',
      replace: "resource === 'tags' ? '&filter=visibility:public' : ''",
      by: "''",
    },
  ],
  [
    'search reads as many posts as Ghost, whatever lists hold',
    'test/unit/builder/search-index.test.ts',
    {
      file: 'src/builder/search-index.ts',
      replace: 'page <= SEARCHED_MAX / PART',
      by: 'page <= 1',
    },
  ],
];

tryRows(ROWS);
