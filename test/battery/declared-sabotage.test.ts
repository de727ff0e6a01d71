// The same for declared queries: which of their files are written, when they go, and what is declared for what was asked.
import { type Row, tryRows } from './sabotaged-tests.ts';

const BUILDS = 'test/unit/builder/declared-lists.test.ts';
const ADOPTING = 'test/unit/admin/adopt-queries.test.ts';
const SETTINGS_FILE = 'test/unit/admin/declare-in-file.test.ts';

const ROWS: readonly Row[] = [
  [
    'the pages of a tag are written when a post of it changes',
    BUILDS,
    {
      file: 'src/builder/declared-lists.ts',
      replace: 'ids.some((id) => reached.has(id)) ? ALL : null',
      by: 'ids.length < 0 ? ALL : null',
    },
    'an edit of a post',
  ],
  [
    'the pages of all tags of a post are written when one of them changes',
    BUILDS,
    {
      file: 'src/builder/declared-lists.ts',
      replace:
        'const reached = new Set([...looked, ...(await readInParts(changes.ids, showing))]);',
      by: 'const reached = new Set([...looked]); showing([]);',
    },
    'another name of a tag',
  ],
  [
    'a page that holds an edited post is written',
    BUILDS,
    {
      file: 'src/builder/declared-lists.ts',
      replace: 'files?.has(file) !== true || reached?.(page) !== false;',
      by: 'files?.has(file) !== true || reached?.(page) === null;',
    },
    'an edit of a post',
  ],
  [
    'a tag that goes leaves no files',
    BUILDS,
    {
      file: 'src/builder/declared-lists.ts',
      replace:
        'for (const files of standing.values()) for (const file of files) remove(context, file);',
      by: '',
    },
    'leaves no files',
  ],
  [
    'pages that are too many go',
    BUILDS,
    {
      file: 'src/builder/declared-lists.ts',
      replace: 'for (const file of files ?? []) remove(context, file);',
      by: '',
    },
    'fewer posts of a tag',
  ],
  [
    'what only the packed tree shows of a record counts as a change',
    BUILDS,
    {
      file: 'src/builder/resource-pass.ts',
      replace: 'if (changed.length > 0 || isPackedAnew)',
      by: 'if (changed.length > 0 && isPackedAnew !== null)',
    },
    'what no file of a record shows',
  ],
  [
    'other queries are built',
    BUILDS,
    {
      file: 'src/builder/fingerprint.ts',
      replace: 'digest(settings.declared)',
      by: 'digest([])',
    },
    'other queries are a build',
  ],
  [
    'the page past the end is a file',
    BUILDS,
    {
      file: 'src/builder/declared-pages.ts',
      replace: "pages === 'all' ? count + 1",
      by: "pages === 'all' ? count",
    },
    'each file is the answer',
  ],
  [
    'a full build removes what an earlier one has left',
    BUILDS,
    {
      file: 'src/emit/orphaned-files.ts',
      replace: 'if (!entry.isFile() || findDeclaredFile(file) === null) return [];',
      by: 'if (!entry.isFile() || findDeclaredFile(file) !== null) return [];',
    },
    'a full build removes',
  ],
  [
    'a filter that is relative to now is not declared',
    'test/unit/config/declared-queries.test.ts',
    {
      file: 'src/config/declared-queries.ts',
      replace: 'Date.UTC(2002, 1, 2)',
      by: 'Date.UTC(2001, 0, 1)',
    },
  ],
  [
    'slugs are one pattern only where all else is the same',
    ADOPTING,
    {
      file: 'src/admin/adopt-queries.ts',
      replace: 'JSON.stringify([resource, folded?.query.rawQuery ?? declared.name])',
      by: 'JSON.stringify([folded?.query.rawQuery ?? declared.name])',
    },
  ],
  [
    'a later page asks for all pages',
    ADOPTING,
    {
      file: 'src/admin/adopt-queries.ts',
      replace: "valuesOf(query, 'page').length > 0 ? 'all' : 1",
      by: "valuesOf(query, 'page').length > 1 ? 'all' : 1",
    },
  ],
  [
    'other settings stay in the file',
    SETTINGS_FILE,
    {
      file: 'src/admin/declare-in-file.ts',
      replace: '{ ...(JSON.parse(text) as object), queries }',
      by: '{ ...(JSON.parse("{}") as object), queries, text: undefined }',
    },
  ],
  [
    'links to the settings file stay',
    SETTINGS_FILE,
    {
      file: 'src/admin/declare-in-file.ts',
      replace: 'const place = realpathSync(path);',
      by: 'const place = realpathSync(path) === path ? path : path;',
    },
  ],
];

tryRows(ROWS);
