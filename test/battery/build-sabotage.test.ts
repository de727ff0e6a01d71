// The same for what large builds do: threads, early syncs and the log.
import { type Row, tryRows } from './sabotaged-tests.ts';

const ROWS: readonly Row[] = [
  [
    'a folder that a broken-off build emptied is removed',
    'test/unit/emit/session.test.ts',
    {
      file: 'src/emit/removals.ts',
      replace: 'removeEmptyFolders(root, removals, own)',
      by: 'removeEmptyFolders(root, removed, own)',
    },
    'emptied before it broke off',
  ],
  [
    'a second name that is a copy is synced by itself',
    'test/unit/emit/no-hard-links.test.ts',
    {
      file: 'src/emit/staged-files.ts',
      replace: 'copyFileSync(source, target);\n  return false;',
      by: 'copyFileSync(source, target);\n  return true;',
    },
  ],
  [
    'copies for hosts are synced before they get their names',
    'test/unit/emit/no-hard-links.test.ts',
    {
      file: 'src/emit/tree-copies.ts',
      replace: 'if (copied.length > 0) await durability.syncPaths(places.root, new Set(copied));',
      by: '',
    },
  ],
  [
    'what is replaced is not tried to be kept one by one where nothing can be',
    'test/unit/emit/no-hard-links.test.ts',
    {
      file: 'src/emit/rename-staged.ts',
      replace: "if (found === 'freed') kept = undefined;",
      by: '',
    },
  ],
  [
    'a key is made whole where there are no hard links',
    'test/unit/emit/no-hard-links.test.ts',
    {
      file: 'src/store/secrets.ts',
      replace: '!existsSync(path)) renameSync(draft, path);',
      by: '!existsSync(path)) writeFileSync(path, text);',
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
    { file: 'src/store/sqlite/statement-cache.ts', replace: 'kept.get(sql) ?? ', by: '' },
  ],
  [
    'a link is no folder of the tree, also where many are looked at',
    'test/unit/emit/own-folders.test.ts',
    {
      file: 'src/emit/own-folders.ts',
      replace: 'if (isWanted && entry.isDirectory())',
      by: 'if (isWanted && !entry.isFile())',
    },
  ],
  [
    'a folder whose name is no text is not taken for another',
    'test/unit/emit/own-folders.test.ts',
    {
      file: 'src/emit/own-folders.ts',
      replace: ' && !entry.name.includes(NO_TEXT)',
      by: '',
    },
  ],
  [
    'staged files lie in folders of some hundred',
    'test/unit/emit/staged-files.test.ts',
    {
      file: 'src/emit/staged-files.ts',
      replace: 'if (this.#count % FILES_PER_FOLDER === 0) this.#startFolder();',
      by: '',
    },
  ],
  [
    'nothing is looked at behind a link',
    'test/unit/emit/own-folders.test.ts',
    {
      file: 'src/emit/own-folders.ts',
      replace: 'count < READ_MIN || !this.has(parent)',
      by: 'count < READ_MIN',
    },
  ],
  [
    'each record has its own hashes between threads',
    'test/unit/builder/packed.test.ts',
    { file: 'src/builder/earlier-records.ts', replace: 'record * size + ', by: '' },
  ],
  [
    'a record whose hashes are not all there is left out',
    'test/unit/builder/packed.test.ts',
    {
      file: 'src/builder/earlier-records.ts',
      replace: 'hashes.length === variants',
      by: 'hashes.length > 0',
    },
  ],
  [
    'each zone has its own times',
    'test/unit/documents/timestamps.test.ts',
    {
      file: 'src/documents/timestamps.ts',
      replace: 'if (latest?.timezone !== timezone)',
      by: 'if (latest === null)',
    },
  ],
  [
    'bytes that are no text are replaced',
    'test/unit/documents/bodies.test.ts',
    { file: 'src/documents/site-url.ts', replace: ' || !isUtf8(value)', by: '' },
  ],
  [
    'comments are read as text',
    'test/unit/documents/bodies.test.ts',
    {
      file: 'src/documents/post-body.ts',
      replace: 'gateForAnonymous(readByteText(text), ',
      by: 'gateForAnonymous(text, ',
    },
  ],
  [
    'a parameter goes behind as many bytes as are before it',
    'test/unit/documents/outbound-links.test.ts',
    {
      file: 'src/documents/outbound-links.ts',
      replace: 'Buffer.byteLength(href.slice(0, insertion.at))',
      by: 'insertion.at',
    },
  ],
  [
    'a character of three bytes is one',
    'test/unit/documents/reading-time.test.ts',
    { file: 'src/documents/reading-time.ts', replace: 'at += 2;', by: 'at += 1;' },
  ],
  [
    'text in UTF-16 is not taken for bytes of UTF-8',
    'test/unit/store/post-sources.test.ts',
    { file: 'src/store/sqlite/post-sources.ts', replace: "=== 'UTF-8'", by: "!== ''" },
  ],
  [
    'related records come in their order',
    'test/unit/store/post-sources.test.ts',
    {
      file: 'src/store/sqlite/post-sources.ts',
      replace: ' ORDER BY l.sort_order, l.id)',
      by: ' ORDER BY l.id DESC)',
    },
  ],
  [
    'an id that is no text is linked to nothing',
    'test/unit/store/post-sources.test.ts',
    {
      file: 'src/store/sqlite/post-sources.ts',
      replace: ") = 'text') FROM",
      by: ") <> '') FROM",
    },
  ],
  [
    'a build that fails leaves none of its lists open',
    'test/unit/builder/many-records.long.test.ts',
    {
      file: 'src/emit/whole-file.ts',
      replace: 'closeSync(descriptor);',
      by: '',
    },
    'leaves no file open',
  ],
  [
    'a tree is placed when the disk is done with what was begun',
    'test/unit/emit/session.test.ts',
    {
      file: 'src/emit/fresh-session.ts',
      replace: 'await Promise.all([early.settle(), durability.syncTree(tree)]);',
      by: 'await durability.syncTree(tree);',
    },
  ],
  [
    'files are placed when the disk is done with what was begun',
    'test/unit/emit/session.test.ts',
    {
      file: 'src/emit/replace-session.ts',
      replace: 'await Promise.all([synced, leafGroup.settle()]);',
      by: 'await synced;',
    },
  ],
  [
    'the row of the log that the tree shows is not forgotten',
    'test/unit/publisher/publish-once.test.ts',
    {
      file: 'src/store/forget-changes.ts',
      replace: 'const end = Math.min(position, oldest + count);',
      by: 'const end = oldest + count;',
    },
  ],
  [
    'the keys of a few records are looked up',
    'test/unit/store/keys-plan.test.ts',
    {
      file: 'src/store/sqlite/rows-by-id.ts',
      replace: 'CROSS JOIN (SELECT id',
      by: 'RIGHT JOIN (SELECT id',
    },
  ],
  [
    'a key is read from the row that has its id',
    'test/unit/store/damaged-index.test.ts',
    { file: 'src/store/sqlite/content-keys.ts', replace: 'if (isAsked === 0)', by: 'if (false)' },
  ],
  [
    'what is read by id comes from the row, not from its index',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/rows-by-id.ts',
      replace: 'return PLACES.find(',
      by: 'return [].find(',
    },
  ],
  [
    'a tag that its index lost is looked for',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/cached-rows.ts',
      replace: 'throwIfHidden(statements, table, lost);',
      by: '',
    },
  ],
  [
    'a row that its index lost is not missing',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/rows-by-id.ts',
      replace: '  throwIfHidden(statements, table, missing);\n',
      by: '',
    },
  ],
  [
    'a post that its index lost is not removed',
    'test/unit/builder/run-build.test.ts',
    {
      file: 'src/builder/plan.ts',
      replace: 'if (await isBelied(rows, touched, snapshot))',
      by: 'if (touched === null)',
    },
    'an index that lost a post',
  ],
  [
    'a log that speaks of rows which are nowhere is not believed',
    'test/unit/builder/plan.test.ts',
    {
      file: 'src/builder/plan.ts',
      replace: 'missing.some((id) => stands[table].has(id))',
      by: 'missing.length < 0',
    },
  ],
  [
    'a log that holds what no trigger writes is not believed',
    'test/unit/builder/plan.test.ts',
    { file: 'src/builder/plan.ts', replace: 'if (!isReadable) return true;', by: '' },
  ],
  [
    'verify reads all indexes',
    'test/unit/builder/run-build.test.ts',
    {
      file: 'src/builder/verify.ts',
      replace: 'const findings = verifyDatabase(input);',
      by: 'const findings: Finding[] = [];',
    },
    'an index that lost a post',
  ],
  [
    'a value that the schema does not allow is no damage',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/database-fault.ts',
      replace: "connection.pragma('ignore_check_constraints = ON');",
      by: '',
    },
  ],
  [
    'what cannot be checked hides no damage elsewhere',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/database-fault.ts',
      replace: 'return checkEach(connection);',
      by: 'return [];',
    },
  ],
  [
    'tables of another make are read as before',
    'test/unit/store/damaged-index.test.ts',
    {
      file: 'src/store/sqlite/rows-by-id.ts',
      replace: 'if (hasPlaces !== 1) return undefined;',
      by: '',
    },
  ],
  [
    'a backup tells of damage',
    'test/unit/store/backup.test.ts',
    {
      file: 'src/store/sqlite/backup.ts',
      replace: 'const faults = findFaults(connection);',
      by: 'const faults: string[] = [];',
    },
  ],
  [
    'an address that is none is no address of a site',
    'test/unit/builder/run-build.test.ts',
    {
      file: 'src/documents/renderer.ts',
      replace: '  checkSiteUrl(settings.siteUrl);\n',
      by: '',
    },
    'the address',
  ],
];

tryRows(ROWS);
