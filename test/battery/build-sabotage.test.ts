// The same for what large builds do: threads, lists past the cache, early syncs and the log.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ROWS: readonly Row[] = [
  [
    'a list whose blocks are refused is written in the common way',
    'test/unit/emit/list-file.test.ts',
    {
      file: 'src/emit/direct-file.ts',
      replace: 'this.close();\n      return 0;',
      by: 'return block.length;',
    },
  ],
  [
    'a build that fails amid its lists leaves none open',
    'test/unit/build/many-records.test.ts',
    {
      file: 'src/build/resource-lists.ts',
      replace: 'for (const { pages } of lists) pages.close();',
      by: '',
    },
    'leaves none open',
  ],
  [
    'a tree is placed when the disk is done with what was begun',
    'test/unit/emit/session.test.ts',
    {
      file: 'src/emit/fresh-session.ts',
      replace: 'await Promise.all([beginning, durability.syncTree(tree)]);',
      by: 'await durability.syncTree(tree);',
    },
  ],
  [
    'the row of the log that the tree shows is not forgotten',
    'test/unit/publisher/publish-once.test.ts',
    {
      file: 'src/store/publishing.ts',
      replace: 'const end = Math.min(position.seq, start + count);',
      by: 'const end = start + count;',
    },
  ],
  [
    'threads that were started early are given once',
    'test/unit/cli/early-threads.test.ts',
    { file: 'src/cli/early-threads.ts', replace: 'lines = null;\n    return', by: 'return' },
  ],
  [
    'the keys of a few records are looked up',
    'test/unit/store/keys-plan.test.ts',
    {
      file: 'src/store/sqlite/content-reader.ts',
      replace: 'j CROSS JOIN',
      by: 'j RIGHT JOIN',
    },
  ],
];

tryRows(ROWS);
