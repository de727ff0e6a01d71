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
];

tryRows(ROWS);
