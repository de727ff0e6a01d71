// Promises about what hosts and caches are told: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const AFTER_BUILD = 'test/unit/after-build/write-after-build.test.ts';
const CDN = 'test/unit/hosts/cdn.test.ts';
const LATER = 'test/unit/emit/later-time.test.ts';
const RULES = 'test/property/declared-rules.test.ts';
const SEGMENTS = 'test/unit/builder/segments.test.ts';

const NJS = 'test/matrix/nginx-njs.test.ts';

const ROWS: readonly Row[] = [
  [
    'documents of nobody: the companion server has a policy for pictures and files',
    'test/unit/server/uploads.test.ts',
    {
      file: 'src/server/content/content-answers.ts',
      replace: 'if (isMedia(rest)) reply',
      by: "if (isMedia('')) reply",
    },
    'images take a SVG file',
  ],
  [
    'documents of nobody: so has a host of rules',
    'test/matrix/netlify.test.ts',
    {
      file: 'src/hosts/netlify/files.ts',
      replace: '...IMAGE_FOLDERS.map(',
      by: '...IMAGE_FOLDERS.slice(3).map(',
    },
    'drawing.svg',
  ],
  [
    'rules refuse an include that they may read otherwise',
    'test/matrix/declared-servers.test.ts',
    {
      file: 'src/hosts/list-questions.ts',
      replace: "[...known, ask('odd', spelling.odd, REFUSED)]",
      by: 'known',
    },
    'odd include',
  ],
  [
    'a file of two hosts goes with the second of them',
    'test/unit/hosts/host-files.test.ts',
    {
      file: 'src/hosts/file-owners.ts',
      replace: 'all.filter((one) => one !== host)',
      by: '[...all]',
    },
  ],
  [
    'what routes of Vercel cannot read is refused before they are asked',
    'test/matrix/vercel.test.ts',
    {
      file: 'src/hosts/vercel/middleware.ts',
      replace: "queries.undeclared !== 'ignore'",
      by: "queries.undeclared === 'ignore'",
    },
    'a sloppy query',
  ],
  [
    'a slug that rules cannot name has no files of patterns',
    'test/unit/builder/declared-lists.test.ts',
    {
      file: 'src/paths/declared-queries.ts',
      replace: '!#$&;@^`{}',
      by: '',
    },
  ],
  [
    'nginx with njs answers records of which a part is asked for',
    NJS,
    {
      file: 'src/hosts/nginx/http-rules.ts',
      replace: "exactly('formats')",
      by: "exactly('format')",
    },
    'records with fields',
  ],
  [
    'nginx with njs answers pages that have no file',
    NJS,
    {
      file: 'src/hosts/nginx/files.ts',
      replace: "absentLines: passOn('fileless', name)",
      by: "absentLines: ''",
    },
    'a loop over pages',
  ],
  [
    'njs 0.7.9 is given no shorter syntax than it reads',
    NJS,
    {
      file: 'src/hosts/bundle-njs.ts',
      replace: 'minifyIdentifiers: true',
      by: 'minify: true',
    },
    "consumers' queries",
  ],
  [
    'records name trees relative to their folder',
    'test/unit/hosts/host-files.test.ts',
    {
      file: 'src/emit/placed-record.ts',
      replace: '[relative(folder, path), tree] as const',
      by: '[path, tree] as const',
    },
  ],
  [
    'owners of host files are recorded relative to the folder',
    'test/unit/hosts/host-files.test.ts',
    {
      file: 'src/hosts/file-owners.ts',
      replace: '[relative(dirname(file), path), all.join(SEPARATOR)] as const',
      by: '[path, all.join(SEPARATOR)] as const',
    },
  ],
  [
    "copies whose record was lost are the tree's own",
    'test/unit/hosts/copies.test.ts',
    {
      file: 'src/emit/tree-copies.ts',
      replace: '!copy.path.startsWith(',
      by: '!root.startsWith(',
    },
  ],
  [
    'copies are kept true though their record was lost',
    'test/unit/hosts/copies.test.ts',
    {
      file: 'src/emit/tree-copies.ts',
      replace: 'isKnown ? paths.size > 0 : hasListCopies(root, content)',
      by: 'isKnown && paths.size > 0',
    },
  ],
  [
    'copies whose record was lost go with what was taken back',
    'test/unit/hosts/copies.test.ts',
    {
      file: 'src/emit/tree-copies.ts',
      replace: '...(record.isKnown ? [] : findCopies(root, content))',
      by: '',
    },
  ],
  [
    'the oldest of slugs that differ in case keeps its name',
    SEGMENTS,
    {
      file: 'src/builder/segments.ts',
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
      file: 'src/emit/list-group.ts',
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
  [
    'a value that has no file is refused, not ignored',
    RULES,
    {
      file: 'src/hosts/list-questions.ts',
      replace: "  { fits: 'given', token: REFUSED },\n",
      by: '',
    },
  ],
  [
    'a parameter that is repeated is refused',
    RULES,
    {
      file: 'src/hosts/list-questions.ts',
      replace: "  { fits: 'repeated', token: REFUSED },\n",
      by: '',
    },
  ],
  [
    'what stands for a slug is the name of a file',
    RULES,
    {
      file: 'src/hosts/list-questions.ts',
      replace: 'const PLAIN = /^([A-Za-z0-9_][A-Za-z0-9._-]*)$/;',
      by: 'const PLAIN = /^([^&]*)$/;',
    },
  ],
  [
    'a slug that rules do not know is refused',
    RULES,
    {
      file: 'src/hosts/list-questions.ts',
      replace: 'fits: fits(PLAIN_PATTERN),',
      by: "fits: fits('([^&]+)'),",
    },
    'a newer tag',
  ],
  [
    'rules take for the same only what the executor does',
    RULES,
    {
      file: 'src/hosts/list-choices.ts',
      replace: "return [...new Set(texts)].filter((text) => meansSame(place, 'order', text));",
      by: 'return [...new Set(texts)];',
    },
  ],
  [
    'a limit below the highest is no default list',
    RULES,
    {
      file: 'src/hosts/list-questions.ts',
      replace: 'numbersFrom(max)',
      by: 'numbersFrom(max - 1)',
    },
  ],
];

tryRows(ROWS);
