// Promises about writes through the admin interface: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

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
];

tryRows(ROWS);
