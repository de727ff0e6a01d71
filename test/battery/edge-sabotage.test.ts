// Promises about answers of edge workers: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const UNIT = 'test/unit/hosts/serve-edge.test.ts';

const ROWS: readonly Row[] = [
  [
    'a kept answer does not outlive its root',
    UNIT,
    {
      file: 'src/hosts/edge/edge-answers.ts',
      replace: 'tree.rootKey()',
      by: "'root'",
    },
  ],
  [
    'the root is asked for again by each request',
    UNIT,
    {
      file: 'src/hosts/edge/edge-tree.ts',
      replace: 'const known = rootKept;',
      by: 'const known = rootKept; if (known !== null) return known;',
    },
  ],
  [
    'a root is another one by its bytes',
    UNIT,
    {
      file: 'src/hosts/edge/edge-tree.ts',
      replace: 'key: await digestOf(bytes)',
      by: "key: 'root'",
    },
  ],
  [
    'what depends on the time of asking is not kept',
    UNIT,
    { file: 'src/hosts/edge/edge-answers.ts', replace: '!/now/i', by: '!/never/i' },
  ],
  [
    'the content key is checked before a query is answered',
    UNIT,
    {
      file: 'src/hosts/edge/serve-edge.ts',
      replace: 'isGuarded(site, rest) ?',
      by: "isGuarded(site, rest) && !query.includes('fields') ?",
    },
  ],
  [
    'keys are compared, not looked for',
    UNIT,
    {
      file: 'src/hosts/edge/serve-edge.ts',
      replace: 'site.keyHashes?.some((known) => known === digest) ?',
      by: 'site.keyHashes !== null ?',
    },
  ],
  [
    'the page about the interface is sent',
    UNIT,
    { file: 'src/hosts/edge/serve-edge.ts', replace: "isPage ? '' :", by: "isPage ? '404' :" },
  ],
  [
    'a page that a host has for every absent file is not the page about the interface',
    UNIT,
    {
      file: 'src/hosts/edge/serve-edge.ts',
      replace: 'isExplorer(asked.site, asked.path) &&',
      by: 'isExplorer(asked.site, asked.path) ||',
    },
  ],
  [
    'no request waits for the work of another one',
    UNIT,
    {
      file: 'src/queries/tree-store.ts',
      replace: '    pending[name] = value;',
      by: '    pending[name] = value; memory.keep(name, value, 0);',
    },
  ],
  [
    'blobs are kept up to a bound',
    UNIT,
    {
      file: 'src/queries/tree-store.ts',
      replace: 'if (total <= bytesMax) return;',
      by: 'if (total >= 0) return;',
    },
  ],
  [
    'an answer whose blobs are gone is begun with the root of now',
    UNIT,
    {
      file: 'src/hosts/edge/edge-tree.ts',
      replace: 'current === null || isFresh) current',
      by: 'current === null) current',
    },
  ],
  [
    "the limit of a host's plan is said",
    UNIT,
    { file: 'src/hosts/edge/edge-fault.ts', replace: '/subrequest/i', by: '/^$/' },
  ],
  [
    'an answer has the tag that the companion server gives it',
    UNIT,
    {
      file: 'src/hosts/edge/edge-tree.ts',
      replace: ".replaceAll('/', '_')",
      by: ".replaceAll('/', '_').slice(1)",
    },
  ],
  [
    'a record is found under the names of its files',
    UNIT,
    {
      file: 'src/hosts/edge/serve-edge.ts',
      replace: 'slug === undefined ?',
      by: 'slug !== null ?',
    },
  ],
];

tryRows(ROWS);
