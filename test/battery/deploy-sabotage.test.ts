// Promises about deploys: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const TEST = 'test/matrix/deploy-s3.test.ts';
const target = 'src/deploy/s3/target.ts';

const ROWS: readonly Row[] = [
  [
    'a bucket is listed to its end',
    TEST,
    { file: target, replace: 'token = page.NextContinuationToken;', by: 'token = undefined;' },
    'of more than 1,000 objects',
  ],
];

tryRows(ROWS);
