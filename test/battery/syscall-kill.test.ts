// Killed at the K-th system call that changes a file: builds, incremental builds, imports, and publishes
// with their deliveries. A few of them in the short form, every K in the long one.
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

/** In the short form one call in so many. */
const ROWS: readonly (readonly [name: string, check: Check, every: number])[] = [
  ['first build', killFirstBuilds, 150],
  ['incremental build', killIncrementalBuilds, 120],
  ['incremental build with copies', killBuildsWithCopies, 160],
  ['import', killImports, 70],
  ['publish with its deliveries', killOutboxes, 120],
];

describe.skipIf(STRACE_MISSING !== null)(
  `killed at a system call (${STRACE_MISSING ?? 'strace'})`,
  () => {
    test.each(ROWS)('%s: nothing is lost', async (name, check, each) => {
      const { calls, kills } = await check(program, { every: sized({ short: each, long: 1 }) });
      sayRow(`killed at a system call of ${name}`, {
        'calls that change something': calls,
        kills,
        lost: 0,
      });
      expect(kills).toBeGreaterThan(0);
    });
  },
);
