// Promises about which records are shown, and about their columns: each test must fail on a source that breaks
// its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const postEvents = 'src/delivery/post-events.ts';
const shownPosts = 'src/store/shown-posts.ts';

const ADDED = 'test/unit/store/added-column.test.ts';
const EMAIL_ONLY = 'test/unit/publisher/email-only.test.ts';
const TRUTH_TABLE = 'test/unit/delivery/truth-table.test.ts';

const ROWS: readonly Row[] = [
  // E-mail-only posts.
  [
    'a flag that cannot be understood closes the gate',
    EMAIL_ONLY,
    { file: shownPosts, replace: ')) IS NOT TRUE`;', by: ')) IS FALSE AND 0`;' },
  ],
  [
    'the tree shows no e-mail-only post',
    EMAIL_ONLY,
    {
      file: shownPosts,
      replace: "= 'published' AND NOT ",
      by: "= 'published' AND 1 >= ",
    },
  ],
  [
    'the flag is an unpublish',
    TRUTH_TABLE,
    {
      file: postEvents,
      replace:
        "record.post.status === 'published' && !isShownPost(record) ? 'sent' : record.post.status;",
      by: 'record.post.status;',
    },
  ],
  [
    'the clock publishes no e-mail-only post',
    EMAIL_ONLY,
    {
      file: 'src/store/publishing.ts',
      replace: 'const IS_FOR_WEB = sql<boolean>`NOT ',
      by: 'const IS_FOR_WEB = sql<boolean>`1 >= ',
    },
  ],
  [
    'an import stores e-mail-only posts as sent',
    'test/unit/importers/email-only.test.ts',
    {
      file: 'src/importers/ghost-posts.ts',
      replace: "return isPublished ? { ...post, status: 'sent' } : post;",
      by: 'return post;',
    },
  ],
  [
    'no edit of another field publishes what was sent',
    'test/unit/admin/posts.test.ts',
    {
      file: 'src/admin/post-status.ts',
      replace: "if (status === 'sent' && stored?.status === 'sent' && !isReleased) {",
      by: 'if (isReleased && nowMs < 0) {',
    },
  ],
  // Columns.
  [
    'each column that is read reaches its document',
    'test/unit/builder/columns.test.ts',
    {
      file: 'src/documents/post-document.ts',
      replace: 'email_subject: toNullableText(post.email_subject),',
      by: 'email_subject: null,',
    },
  ],
  [
    'reading follows the table of columns',
    ADDED,
    {
      file: 'src/store/sqlite/post-columns.ts',
      replace: 'reads === null ? [] : [`',
      by: "reads === null || column === 'added_text' ? [] : [`",
    },
  ],
  [
    'logging follows the table of columns',
    ADDED,
    {
      file: 'src/store/sqlite/triggers.ts',
      replace: '.filter(isStanding),\n    unique',
      by: ".filter((column) => column !== 'og_video' && isStanding(column)),\n    unique",
    },
  ],
  [
    'what no published byte shows is no edit of a published post',
    TRUTH_TABLE,
    {
      file: postEvents,
      replace: 'fieldsWhere(({ reads }) => reads !== null);',
      by: 'STORED_FIELDS;',
    },
  ],
  [
    'a link touches what it links',
    'test/unit/builder/plan.test.ts',
    {
      file: 'src/builder/plan.ts',
      replace: "if (linked === 'tags' || linked === 'authors') add(linked, others);",
      by: 'if (linked === undefined) add(records.length > 9 ? "tags" : "authors", []);',
    },
  ],
];

tryRows(ROWS);
