// Promises about members in bulk: each test must fail on a source that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const BULK = 'test/unit/server/members-bulk.test.ts';

const ROWS: readonly Row[] = [
  [
    'no cell that is exported is a formula',
    BULK,
    {
      file: 'src/importers/formula-guard.ts',
      replace: "(isTrigger(cell) ? `'",
      by: '(isTrigger(cell) ? `',
    },
    'holds no formula',
  ],
  [
    'an apostrophe of somebody comes back',
    BULK,
    {
      file: 'src/importers/formula-guard.ts',
      replace: `while (cell.charAt(at) === "'") at += 1;`,
      by: `if (cell.charAt(at) === "'") at += 0;`,
    },
    'holds no formula',
  ],
  [
    'an upload takes no label away',
    BULK,
    {
      file: 'src/importers/member-writer.ts',
      replace: 'context.merges ? [...new Set([...present, ...named])] : named',
      by: 'named',
    },
    'takes nothing away',
  ],
  [
    'an upload subscribes nobody who unsubscribed',
    BULK,
    {
      file: 'src/importers/member-writer.ts',
      replace: ' || (merges && line.isSubscribed)',
      by: '',
    },
    'takes nothing away',
  ],
  [
    'text that is not UTF-8 is refused',
    BULK,
    {
      file: 'src/importers/members-csv-file.ts',
      replace: "new TextDecoder('utf-8', { fatal: true })",
      by: "new TextDecoder('utf-8')",
    },
    'is refused as a whole',
  ],
  [
    'nobody is deleted without a filter',
    BULK,
    {
      file: 'src/admin/bulk-members.ts',
      replace: "all !== 'true' && !isNarrowed",
      by: 'false',
    },
    'what does not say',
  ],
  [
    'all is not asked together with a filter',
    BULK,
    { file: 'src/admin/bulk-members.ts', replace: "all === 'true' && isNarrowed", by: 'false' },
    'what does not say',
  ],
  [
    'a member that nothing changes keeps its row',
    BULK,
    {
      file: 'src/store/member-bulk.ts',
      replace: 'await touch(writer, nowMs, others);',
      by: 'await touch(writer, nowMs, sql`SELECT id FROM temp.chosen_members`);',
    },
    'labels are added',
  ],
  [
    'a bulk edit is marked as one',
    BULK,
    {
      file: 'src/admin/bulk-members.ts',
      replace: '{ action: `bulk:',
      by: '{ action: `edit:',
    },
    'labels are added',
  ],
  [
    'an export leaves no file behind',
    BULK,
    {
      file: 'src/server/admin/member-bulk-routes.ts',
      replace: '      rmSync(file, { force: true });\n    }\n',
      by: '    }\n',
    },
    'filter, search and limit',
  ],
];

tryRows(ROWS);
