// The same for what large builds do: threads, lists past the cache, early syncs and the log.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ROWS: readonly Row[] = [
  [
    'a list whose blocks are refused is written in the common way',
    'test/unit/emit/list-file.test.ts',
    {
      file: 'src/emit/direct-file.ts',
      replace: 'this.#isRefused = true;\n    return 0;',
      by: 'return BLOCK_BYTES;',
    },
  ],
  [
    'a list is finished when the disk has taken its blocks',
    'test/unit/emit/list-file.test.ts',
    {
      file: 'src/emit/list-file.ts',
      replace: 'await Promise.allSettled(due)',
      by: 'Promise.allSettled(due) && []',
    },
  ],
  [
    'the bytes of a block are hashed in their order, whichever way it is written',
    'test/unit/emit/list-file.test.ts',
    {
      file: 'src/emit/list-file.ts',
      replace: 'this.#hash.update(this.#block.subarray(this.#hashed, this.#filled));',
      by: 'this.#hash.update(this.#block.subarray(0, this.#filled));',
    },
  ],
  [
    'a folder is known when its name was found right',
    'test/unit/emit/leaf-writer.test.ts',
    {
      file: 'src/emit/leaf-writer.ts',
      replace: 'const isKnown = this.#folders.has(folder);',
      by: 'const isKnown = this.#folders.has(folder);\n    this.#folders.add(folder);\n    this.#files.add(file);',
    },
  ],
  [
    'statements are kept',
    'test/unit/store/statements.test.ts',
    { file: 'src/store/sqlite/dialect.ts', replace: 'kept.get(sql) ?? ', by: '' },
  ],
  [
    'the order of records is handed out whatever they are sorted by',
    'test/unit/store/manifest-order.test.ts',
    {
      file: 'src/store/sqlite/manifest-rows.ts',
      replace: 'json_group_array(sort)',
      by: 'json_group_array(CAST(sort AS INTEGER))',
    },
  ],
  [
    'large lists are read again',
    'test/unit/emit/read-again.test.ts',
    {
      file: 'src/emit/read-again.ts',
      replace: 'if (list.size >= BLOCK_BYTES)',
      by: 'if (list.size < 0)',
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
