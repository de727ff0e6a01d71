// Killed at the K-th system call that changes a file: builds, incremental builds, imports, and publishes
// with their deliveries. Every fortieth K or so in the short form, every K in the long one.
import { describe, expect, test } from 'vitest';
import {
  type KillCount,
  type KillOptions,
  killBuildsWithCopies,
  killFirstBuilds,
  killImports,
  killIncrementalBuilds,
  killOutboxes,
} from './checks/syscall-kills.ts';
import { bundleQuickSabotaged, quickProgram, type Sabotage } from './program.ts';
import { sayRow, sized } from './size.ts';
import { STRACE_MISSING } from './strace.ts';

const program = await quickProgram();

type Check = (program: string, options: KillOptions) => Promise<KillCount>;

const every = sized({ short: 40, long: 1 });
/** Of calls that come after those of the row before. */
const everyBeside = sized({ short: 50, long: 1 });

const ROWS: readonly (readonly [name: string, check: Check, every: number])[] = [
  ['first build', killFirstBuilds, every],
  ['incremental build', killIncrementalBuilds, every],
  ['incremental build with copies', killBuildsWithCopies, everyBeside],
  ['import', killImports, every],
  ['publish with its deliveries', killOutboxes, every],
];

type SabotageRow = readonly [
  name: string,
  check: Check,
  options: KillOptions,
  sabotages: readonly Sabotage[],
];

const replaceSession = 'src/emit/replace-session.ts';
const renameStaged = 'src/emit/rename-staged.ts';

const SABOTAGES: readonly SabotageRow[] = [
  [
    'a first tree that is copied into place',
    killFirstBuilds,
    { every: 2, from: 0.5 },
    [
      {
        file: 'src/emit/fresh-session.ts',
        replace: 'if (existsSync(path)) renameSync(path, join(root, part));',
        by: 'if (existsSync(path)) { cpSync(path, join(root, part), { recursive: true }); rmSync(path, { recursive: true }); }',
      },
      {
        file: 'src/emit/fresh-session.ts',
        replace: 'import { existsSync,',
        by: 'import { cpSync, existsSync,',
      },
    ],
  ],
  [
    'lists placed before the records they name',
    killIncrementalBuilds,
    { every: 5, from: 0.5 },
    [
      {
        file: replaceSession,
        replace: 'await placer.rename(leaves, folders)',
        by: 'await placer.rename(lists, listFolders)',
      },
      {
        file: replaceSession,
        replace: 'await placer.rename(lists, listFolders);',
        by: 'await placer.rename(leaves, folders);',
      },
    ],
  ],
  [
    'files written in place',
    killIncrementalBuilds,
    // Three calls for each file: no step of three, which would always meet the same one.
    { every: 4, from: 0.5 },
    [
      {
        file: renameStaged,
        replace: 'renameSync(temporary, path);',
        by: 'copyFileSync(temporary, path);',
      },
      {
        file: renameStaged,
        replace: 'await renameFile(temporary, path).catch(() => replace(temporary, path));',
        by: 'await Promise.resolve(temporary).then((file) => copyFileSync(file, path));',
      },
      {
        file: renameStaged,
        replace: 'import {\n  existsSync,',
        by: 'import {\n  copyFileSync,\n  existsSync,',
      },
    ],
  ],
  [
    'copies made beside their names',
    killBuildsWithCopies,
    { every: 4, from: 0.6 },
    [
      {
        file: 'src/emit/tree-copies.ts',
        replace: 'return { path, ...staging.filesFor(path).alias(join(places.root, source)) };',
        by: 'const temporary = join(places.root, path) + process.pid;\n      return { path, temporary, isLink: linkOrCopy(join(places.root, source), temporary) };',
      },
      {
        file: 'src/emit/tree-copies.ts',
        replace: 'import { openPlacedRecord }',
        by: "import { linkOrCopy } from './staged-files.ts';\nimport { openPlacedRecord }",
      },
    ],
  ],
  [
    'changes that are told by their own build or never',
    killBuildsWithCopies,
    { every: 4, from: 0.6 },
    [{ file: 'src/after-build/write-after-build.ts', replace: '|| told !== present', by: '' }],
  ],
  [
    'an import that commits table by table',
    killImports,
    { every: 4, from: 0.4 },
    [
      {
        file: 'src/importers/apply-table.ts',
        replace: 'context.onWritten(batch.length);\n  }\n};',
        by: "context.onWritten(batch.length);\n  }\n  for (const sql of ['COMMIT', 'BEGIN IMMEDIATE']) await writer.executeQuery(CompiledQuery.raw(sql));\n};",
      },
      {
        file: 'src/importers/apply-table.ts',
        replace: 'import type { Stage }',
        by: "import { CompiledQuery } from 'kysely';\nimport type { Stage }",
      },
    ],
  ],
  [
    'a position that moves before its deliveries are queued',
    killOutboxes,
    { every: 1, from: 0.7 },
    [
      {
        file: 'src/publisher/announce.ts',
        replace: 'return store.write(async (writer) => {\n    const queued',
        by: 'await store.write((early) => movePublishedPosition(early, { ...report.position, generation }, now));\n  return store.write(async (writer) => {\n    const queued',
      },
    ],
  ],
];

describe.skipIf(STRACE_MISSING !== null)(
  `killed at a system call (${STRACE_MISSING ?? 'strace'})`,
  () => {
    test.each(ROWS)('%s: nothing is lost', async (name, check, each) => {
      const { calls, kills } = await check(program, { every: each });
      sayRow(`killed at a system call of ${name}`, {
        'calls that change something': calls,
        kills,
        lost: 0,
      });
      expect(kills).toBeGreaterThan(0);
    });

    test.each(SABOTAGES)('catches: %s', async (_name, check, options, sabotages) => {
      const sabotaged = await bundleQuickSabotaged(...sabotages);
      await expect(check(sabotaged, options)).rejects.toThrow(/expected/);
    });
  },
);
