// The same for following a source: what is noticed of it, what is taken, and what is refused meanwhile.
import { type Row, tryRows } from './sabotaged-tests.ts';

const REFUSED = 'test/unit/server/following.test.ts';
const CLOCK = 'test/unit/publisher/following.test.ts';
const LOOKS = 'test/unit/follow/look.test.ts';
const SKIPPED = 'test/unit/follow/skipped-tables.test.ts';
const PROPERTY = 'test/property/following.test.ts';

const ROWS: readonly Row[] = [
  [
    'rows that went from the source are removed',
    LOOKS,
    {
      file: 'src/importers/apply-difference.ts',
      replace: 'await removeRows(context, facts, own);\n      report.count',
      by: 'report.count',
    },
  ],
  [
    'a block in which a mark differs is not passed over',
    LOOKS,
    {
      file: 'src/follow/compare-table.ts',
      replace: 'before?.mark !== mark) changed.push(id)',
      by: 'before?.mark === null) changed.push(id)',
    },
  ],
  [
    'what was taken is noted in the transaction that takes it',
    LOOKS,
    {
      file: 'src/importers/apply-difference.ts',
      replace: 'await writeBlocks(writer, table, difference);',
      by: 'await writeBlocks(writer, table.slice(1), difference);',
    },
  ],
  [
    'rows that refer to what comes later are tried again',
    LOOKS,
    {
      file: 'src/follow/look.ts',
      replace: 'waiting.filter(({ name }) => name === from)',
      by: "waiting.filter(({ name }) => name === '')",
    },
  ],
  [
    'another site is refused',
    LOOKS,
    {
      file: 'src/follow/look.ts',
      replace: 'if (known > 0 || gone === 0) return;',
      by: 'if (known >= 0 || gone === 0) return;',
    },
  ],
  [
    'a look that was overtaken takes nothing',
    LOOKS,
    {
      file: 'src/follow/look.ts',
      replace: '!== notes.revision + 1) throw new Outdated();',
      by: '=== -5) throw new Outdated();',
    },
  ],
  [
    'the loss of a source is told once',
    LOOKS,
    {
      file: 'src/follow/follower.ts',
      replace: 'if (!isTold) onLost(lost);',
      by: 'if (isTold || !isTold) onLost(lost);',
    },
  ],
  [
    'a table of which a page changed is read',
    SKIPPED,
    {
      file: 'src/sources/ghost-sqlite/page-owners.ts',
      replace: 'if (owner > 0) marks.delete(',
      by: 'if (owner > 0 && page % 3 === 0) marks.delete(',
    },
  ],
  [
    'tables that moved in the file are read',
    SKIPPED,
    {
      file: 'src/sources/ghost-sqlite/page-owners.ts',
      replace: 'if (now !== schema) forgetAll();',
      by: 'if (now === schema && now === "") forgetAll();',
    },
    'moved in the file',
  ],
  [
    'the copy is read anew after each commit',
    PROPERTY,
    {
      file: 'src/sources/ghost-sqlite/kept-copy.ts',
      replace: 'countCommit(now, commit);',
      by: 'countCommit(now, commit - commit + 1);',
    },
  ],
  [
    'only what was taken is passed over',
    SKIPPED,
    {
      file: 'src/follow/look.ts',
      replace: 'const looked = { revision, taken, marks };',
      by: 'const looked = { revision, taken, marks };\n  if (!isAll) known?.note(looked);',
    },
    'broke off',
  ],
  [
    'what another program took ends what is known',
    SKIPPED,
    {
      file: 'src/follow/known-tables.ts',
      replace: 'last?.revision === revision',
      by: 'revision === revision',
    },
    'another program',
  ],
  [
    'saves of content are refused',
    REFUSED,
    {
      file: 'src/admin/save-content.ts',
      replace: 'await refuseWhileFollowing(writer);',
      by: 'refuseWhileFollowing.toString();',
    },
  ],
  [
    'the signature of a call is checked',
    REFUSED,
    {
      file: 'src/server/ghost-signature.ts',
      replace: "return timingSafeEqual(Buffer.from(given, 'hex'), right);",
      by: "return timingSafeEqual(Buffer.from(given, 'hex'), right) || given !== '';",
    },
  ],
  [
    'the clock publishes nothing',
    CLOCK,
    {
      file: 'src/publisher/publish-once.ts',
      replace: 'if (!(await isFollowing(deps.store.reader))) await placeByClock(',
      by: 'if ((await isFollowing(deps.store.reader)) !== null) await placeByClock(',
    },
  ],
];

tryRows(ROWS);
