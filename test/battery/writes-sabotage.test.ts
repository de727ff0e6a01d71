// Promises about writes through the admin interface: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const COPIES = 'test/unit/server/copies.test.ts';
const AVATAR = 'test/unit/admin/avatar.test.ts';
const FILTERS = 'test/unit/store/member-filters.test.ts';
const OFFERINGS = 'test/unit/server/offerings.test.ts';
const JSON_BODIES = 'test/unit/server/json-bodies.test.ts';
const MAIL = 'test/unit/admin/mail.test.ts';

const ROWS: readonly Row[] = [
  [
    'nothing becomes sent by a save',
    MAIL,
    {
      file: 'src/admin/post-status.ts',
      replace: 'if (stored !== null && isKept) return { status: stored.status, publishedAt };',
      by: 'if (stored !== null) return { status: isKept ? stored.status : "sent", publishedAt };',
    },
  ],
  [
    'a newsletter that is not the stored one is refused',
    MAIL,
    {
      file: 'src/admin/refuse-mail.ts',
      replace: 'if (id === null) return false;',
      by: 'if (id === null) return true;',
    },
  ],
  [
    'a post is not made e-mail only',
    MAIL,
    {
      file: 'src/admin/refuse-mail.ts',
      replace: 'if (input.email_only === true && stored?.wasEmailOnly !== true)',
      by: 'if (input.email_only === true && stored?.wasEmailOnly === true)',
    },
  ],
  [
    'what the query says of mail reaches the use case',
    'test/unit/server/mail-parameters.test.ts',
    {
      file: 'src/server/admin/post-routes.ts',
      replace: 'return value ? [[name, value]] : [];',
      by: "return value && name.startsWith('s') ? [[name, value]] : [];",
    },
  ],
  [
    'null asks for a linked row without the value',
    FILTERS,
    {
      file: 'src/store/list-filter.ts',
      replace: 'if (filter.value === null && !field.hasNulls)',
      by: 'if (filter.value === null)',
    },
  ],
  [
    'only opened e-mails count as opened',
    FILTERS,
    {
      file: 'src/store/member-filters.ts',
      replace: 'AND email_recipients.opened_at IS NOT NULL',
      by: 'AND email_recipients.member_id IS NOT NULL',
    },
  ],
  [
    'webhooks hold no avatar when avatars are off',
    AVATAR,
    {
      file: 'src/publisher/announce.ts',
      replace: 'hasAvatars: config.avatar,',
      by: 'hasAvatars: config !== null,',
    },
  ],
  [
    'answers hold no avatar when avatars are off',
    AVATAR,
    {
      file: 'src/cli/workspace.ts',
      replace: 'hasAvatars: config.avatar,',
      by: 'hasAvatars: config !== null,',
    },
  ],
  [
    'the terms of an offer stay',
    OFFERINGS,
    {
      file: 'src/admin/offers.ts',
      replace: 'if (given === undefined || given === kept) continue;',
      by: 'if (given === undefined || given !== kept || given === kept) continue;',
    },
  ],
  [
    'a tier that is sent back as it was read is no change',
    OFFERINGS,
    {
      file: 'src/admin/tiers.ts',
      replace: '{ ...stored, currency: stored.currency?.toUpperCase() ?? null }',
      by: '{ ...stored }',
    },
  ],
  [
    'labels of one name are one, in any case',
    OFFERINGS,
    {
      file: 'src/admin/labels.ts',
      replace: 'if (other === undefined || other.id === exceptId) return;',
      by: 'if (other?.name !== name || other.id === exceptId) return;',
    },
  ],
  [
    'a copy is a draft that no mail belongs to',
    COPIES,
    {
      file: 'src/admin/copy-post.ts',
      replace: '{ ...texts, email_only: 0 }',
      by: '{ ...texts }',
    },
  ],
  [
    'a wrong key is refused where none is needed',
    COPIES,
    {
      file: 'src/server/admin/admin-scope.ts',
      replace: 'config.isOpen && authorization === undefined)',
      by: 'config.isOpen)',
    },
  ],
  [
    'only posts have long bodies, which count whole',
    'test/unit/server/request-bodies.test.ts',
    {
      file: 'src/server/create-server.ts',
      replace: 'if (!bounds.holdRequest(exchange, bodyLimit))',
      by: 'if (!bounds.holdRequest(exchange, Math.min(bodyLimit, 1024)))',
    },
  ],
  [
    'values of a body are counted outside of texts',
    JSON_BODIES,
    {
      file: 'src/base/json-excess.ts',
      replace: 'else if (byte === BACKSLASH) at += 1;',
      by: '',
    },
  ],
  [
    'a body that nests deeply is not parsed',
    JSON_BODIES,
    {
      file: 'src/server/admin/json-text.ts',
      replace: '  checkSize(bytes);\n',
      by: '',
    },
  ],
  [
    'an author may be named by a bare id',
    'test/unit/admin/posts.test.ts',
    {
      file: 'src/admin/post-relations.ts',
      replace: "reference.includes('@') ? 'email' : 'id'",
      by: "'email'",
    },
    'authors are found',
  ],
  [
    'a newsletter may be named by a bare id',
    'test/unit/server/members.test.ts',
    {
      file: 'src/contract/admin/member-input.ts',
      replace: 'text(191).transform((id) => ({ id })),',
      by: 'z.object({ id: z.never() }),',
    },
    'an edit changes what it names',
  ],
  [
    'a list in brackets is a list',
    'test/unit/server/content.test.ts',
    {
      file: 'src/server/addresses.ts',
      replace: "(?:\\]|%5D)$/i, '')",
      by: "(?:\\]|%5D)$/i, '$&')",
    },
    'is the variant authors-tags',
  ],
  [
    'what sets a prototype is no body',
    JSON_BODIES,
    {
      file: 'src/server/admin/json-text.ts',
      replace: "if (Object.hasOwn(next, '__proto__')) return true;",
      by: '',
    },
    'a name that sets a prototype',
  ],
  [
    'a thread answers calls for stored posts that are long',
    'test/unit/server/post-calls.test.ts',
    {
      file: 'src/server/post-calls/post-calls.ts',
      replace: "const ids = call.does === 'show' ? call.ids : [call.id];",
      by: 'const ids: string[] = [];',
    },
    'shows, edits, copies and deletes what is long',
  ],
  [
    'a thread says of a body that it is no JSON',
    'test/unit/server/post-calls.test.ts',
    {
      file: 'src/server/post-calls/post-calls.ts',
      replace: "throw answer.error === 'no JSON'",
      by: "throw answer.error === ('' as 'no JSON')",
    },
    'refuses as this thread does',
  ],
];

tryRows(ROWS);
