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
import { quickProgram } from './program.ts';
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
  },
);
