// Promises of sources and imports, each on a source of the program that breaks it: its test must fail.
import { type Row, tryRows } from './sabotaged-tests.ts';

const copy = 'src/sources/ghost-sqlite/copy-database.ts';
const schema = 'src/sources/ghost-database/schema.ts';
const session = 'src/sources/ghost-mysql/session.ts';
const reader = 'src/sources/ghost-mysql/reader.ts';
const publicationFile = 'src/store/sqlite/publication-file.ts';

const SQLITE = 'test/unit/sources/ghost-sqlite.test.ts';
const MARIADB = 'test/matrix/mariadb.test.ts';

const AUTHORS = 'test/unit/importers/absent-owner.test.ts';
const SCRATCH = 'test/unit/base/scratch-folder.test.ts';

const DRAWINGS = 'test/unit/cli/replacing-sample.test.ts';

const ROWS: readonly Row[] = [
  [
    'SQLite is kept away from a file in WAL mode that nobody has open',
    SQLITE,
    {
      file: copy,
      replace: '!readFileHeader(path).isWal',
      by: "path !== ''",
    },
  ],
  [
    'a file is copied under the lock of one transaction',
    SQLITE,
    { file: copy, replace: "connection.exec('BEGIN');", by: '' },
    'each state is one commit',
  ],
  [
    'the journal of a commit that broke off goes along',
    SQLITE,
    { file: copy, replace: "['', '-wal', '-journal']);", by: "['', '-wal']);" },
  ],
  [
    'a file that stays locked is given up',
    SQLITE,
    {
      file: copy,
      replace: 'if (isBusy(error)) return false;',
      by: 'if (isBusy(error)) return true;',
    },
    'stays locked',
  ],
  [
    'a schema that is being migrated is refused',
    SQLITE,
    { file: schema, replace: 'Number(locked) !== 0', by: 'Number(locked) > 1' },
    'migrated',
  ],
  [
    'other versions are refused',
    SQLITE,
    { file: schema, replace: 'new Set([5, 6])', by: 'new Set([4, 5, 6, 7])' },
    'version',
  ],
  [
    'a table that is missing is named',
    SQLITE,
    { file: schema, replace: 'if (missing !== undefined)', by: 'if (missing === 0)' },
    'missing',
  ],
  [
    'a column that is missing is named',
    SQLITE,
    { file: schema, replace: 'posts: `title slug html', by: 'posts: `title slug' },
    'missing',
  ],
  [
    'a database whose members lack their address is refused',
    SQLITE,
    { file: schema, replace: "'uuid email status name", by: "'uuid status name" },
    'no member',
  ],
  [
    'a post that was changed a moment ago has another mark',
    SQLITE,
    { file: 'src/sources/outlines.ts', replace: 'YOUNG_MS = 60_000', by: 'YOUNG_MS = -1' },
    'mark each time',
  ],
  [
    'a stamp differs after each commit',
    SQLITE,
    {
      file: 'src/sources/ghost-sqlite/source.ts',
      replace: 'isYoung ? null',
      by: "isYoung ? null : path !== '' ? 'same'",
    },
    'stamp',
  ],
  [
    "Ghost's own database is named",
    SQLITE,
    { file: publicationFile, replace: "tables.has('migrations_lock')", by: "tables.has('none')" },
    'not taken for a publication',
  ],
  [
    "no file is made beside Ghost's own database",
    SQLITE,
    { file: publicationFile, replace: 'readonly: !isClosedWal(path)', by: 'readonly: true' },
    'not taken for a publication',
  ],
  [
    'MySQL is read from one snapshot',
    MARIADB,
    {
      file: reader,
      replace: "'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'",
      by: "'SELECT 1'",
    },
    'one snapshot',
  ],
  [
    'times of MySQL are texts',
    MARIADB,
    { file: session, replace: 'dateStrings: true', by: 'dateStrings: false' },
    'come as texts',
  ],
  [
    'times of MySQL are in UTC',
    MARIADB,
    { file: reader, replace: "  `SET SESSION time_zone = '+00:00'`,\n", by: '' },
    'come as texts',
  ],
  [
    'a time that MySQL could not read is none',
    MARIADB,
    { file: reader, replace: 'mended[name] = null;', by: '' },
    'come as texts',
  ],
  [
    'a connection that is lost ends the rows',
    MARIADB,
    { file: session, replace: 'link.stream?.destroy(error);', by: '' },
    'lost midway',
  ],
  [
    'a table that may not be read is told from one that is missing',
    MARIADB,
    {
      file: reader,
      replace: "error.code === 'SOURCE_NO_PERMISSION'",
      by: "error.code === 'USAGE'",
    },
    'may not read',
  ],
  [
    'no message has the password',
    MARIADB,
    {
      file: 'src/sources/ghost-mysql/address.ts',
      replace: 'name: `mysql://',
      by: 'name: password + `mysql://',
    },
    'a wrong password',
  ],
  [
    'the drawings of the sample go with it',
    DRAWINGS,
    {
      file: 'src/cli/replacing-sample.ts',
      replace: 'if (wasSample) await',
      by: 'if (!wasSample) await',
    },
  ],
  [
    'a drawing that somebody altered stays',
    DRAWINGS,
    {
      file: 'src/emit/remove-media.ts',
      replace: '|| !readFileSync(file).equals(bytes)',
      by: '|| readFileSync(file) === bytes',
    },
    'was altered stays',
  ],
  [
    'a drawing that a row names stays',
    DRAWINGS,
    {
      file: 'src/importers/sample-pictures.ts',
      replace: 'files.filter(([path]) => !kept.has(path))',
      by: "files.filter(([path]) => !kept.has('') || path === '')",
    },
    'that a post names',
  ],
  [
    'an address without slashes is no file, whose name messages show',
    'test/unit/sources/source-name.test.ts',
    {
      file: 'src/sources/source-name.ts',
      replace: "name.startsWith('//', scheme.length) || name.includes('@')",
      by: "name.startsWith('//', scheme.length)",
    },
    'is an address',
  ],
  [
    'rows without what is hidden from the user are not taken',
    MARIADB,
    { file: schema, replace: 'if (!present.includes(column)) await', by: 'if (false) await' },
    'which is hidden',
  ],
  [
    'posts of an absent owner get a known author',
    AUTHORS,
    {
      file: 'src/importers/replace-links.ts',
      replace: 'values.find((id) => present.has(id)) ?? findOwnerId(writer)',
      by: 'values[0] ?? findOwnerId(writer)',
    },
    'is imported around',
  ],
  [
    'posts without an author follow the owner',
    AUTHORS,
    {
      file: 'src/importers/settle-authors.ts',
      replace: 'if (OWNERSHIP.some((table) => difference.tables().has(table)))',
      by: 'if (difference.tables().size === 0)',
    },
    'to whoever is the owner now',
  ],
  [
    'rows that a program works on have no name in the temporary folder',
    SCRATCH,
    {
      file: 'src/store/sqlite/connection.ts',
      replace: 'if (canRemoveOpenFiles) removeScratchFolder(folder);',
      by: '',
    },
    'has no name',
  ],
  [
    'what a killed program left in the temporary folder is removed',
    SCRATCH,
    {
      file: 'src/base/scratch-folder.ts',
      replace: 'if (canRemoveOpenFiles) removeLeftFolders(',
      by: 'if (!canRemoveOpenFiles) removeLeftFolders(',
    },
    'a day ago',
  ],
];

tryRows(ROWS);
