// Promises of the client: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const CLIENT = 'test/unit/client/client.test.ts';
const FILES = 'src/client/read-files.ts';
const OPEN = 'src/client/open-content.ts';

const ROWS: readonly Row[] = [
  [
    'files are kept up to a bound',
    CLIENT,
    { file: FILES, replace: 'options.bytesMax ?? BYTES_MAX', by: 'BYTES_MAX' },
    'blobs again',
  ],
  [
    'a blob of any age is taken from the cache of the browser',
    CLIENT,
    { file: FILES, replace: "(await read(file, 'force-cache')) ?? ", by: '' },
    'through a fetch of the caller',
  ],
  [
    'a host in trouble is no host without files',
    CLIENT,
    { file: FILES, replace: '40[34]', by: '[45]0[034]' },
    'a host in trouble',
  ],
  [
    'an HTML page is no file of ours',
    CLIENT,
    { file: FILES, replace: '200 text', by: '200 none' },
    'a host without a tree',
  ],
  [
    'addresses of the stock client may name a version',
    CLIENT,
    { file: OPEN, replace: 'v\\d\\/|', by: '' },
    'the stock client',
  ],
  [
    'refusals reach the stock client as it knows them',
    CLIENT,
    { file: OPEN, replace: 'response: { status, data },', by: 'response: { status },' },
    'throws what is wrong',
  ],
];

tryRows(ROWS);
