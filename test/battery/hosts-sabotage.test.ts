// Promises about what hosts and caches are told: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const AFTER_BUILD = 'test/unit/after-build/write-after-build.test.ts';
const CDN = 'test/unit/hosts/cdn.test.ts';
const LATER = 'test/unit/emit/later-time.test.ts';
const SEGMENTS = 'test/unit/build/segments.test.ts';

const ROWS: readonly Row[] = [
  [
    'the oldest of slugs that differ in case keeps its name',
    SEGMENTS,
    {
      file: 'src/build/segments.ts',
      replace: 'shared.has(fold) && oldest.get(fold)?.id !== id',
      by: 'shared.has(fold)',
    },
  ],
  [
    'a new file is of a later second than the one that it replaces',
    LATER,
    {
      file: 'src/emit/later-time.ts',
      replace: 'utimesSync(temporary, second + 1, second + 1);',
      by: 'utimesSync(temporary, second, second);',
    },
  ],
  [
    'the stamp of a list is that of its later time',
    LATER,
    {
      file: 'src/emit/replace-session.ts',
      replace: '(isMoved ? findStamp(temporary) : null) ?? stamp',
      by: 'isMoved ? stamp : stamp',
    },
  ],
  [
    'the slug of a removed record is remembered',
    AFTER_BUILD,
    {
      file: 'src/after-build/purge-options.ts',
      replace: 'new Map([...known, ...present])',
      by: 'new Map(present)',
    },
  ],
  [
    'the content key stays in the cache key where it is checked',
    CDN,
    { file: 'src/hosts/cdn/files.ts', replace: "[...CHOOSING, 'key']", by: 'CHOOSING' },
  ],
];

tryRows(ROWS);
