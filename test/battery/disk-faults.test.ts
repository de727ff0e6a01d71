// System calls that fail: no space, broken disks, too many open files, a file system that turns read-only,
// rights that are taken away; at one call or so of each kind that could, in the long form at every one.
import { describe, expect, test } from 'vitest';
import {
  buildAmidFaults,
  createFaultScene,
  type FaultCount,
  type FaultScene,
} from './checks/disk-faults.ts';
import { quickProgram } from './program.ts';
import { runProgram } from './run-program.ts';
import { sayRow, sized, untilAllEnd } from './size.ts';
import { editBackOrForth } from './small-publication.ts';
import {
  type Call,
  listMutations,
  runFailingAt,
  runFailingFrom,
  STRACE_MISSING,
} from './strace.ts';

const LANES = sized({ short: 1, long: 2 });

const program = await quickProgram();

type Row = {
  readonly error: string;
  readonly at: RegExp;
  /** Every later call of that kind fails too. */
  readonly onwards?: boolean;
  /** Only in the output; and there no failure may count as success. */
  readonly isSerious?: boolean;
  /** In the short form one in so many. */
  readonly every: number;
};

const ROWS: readonly Row[] = [
  { error: 'ENOSPC', at: /^write|^pwrite/, every: 70 },
  { error: 'ENOSPC', at: /^rename/, every: 35 },
  { error: 'ENOSPC', at: /^mkdir/, every: 2 },
  { error: 'ENOSPC', at: /^link|^open/, every: 70 },
  { error: 'EIO', at: /^fsync/, isSerious: true, every: 40 },
  { error: 'EIO', at: /^pwrite|^ftruncate/, every: 24 },
  { error: 'EMFILE', at: /^open/, every: 50 },
  { error: 'EROFS', at: /^rename|^mkdir/, onwards: true, every: 27 },
  { error: 'EACCES', at: /^rename|^open|^unlink/, every: 100 },
];

type Traced = {
  readonly scene: FaultScene;
  /** Those that are made whichever way the edit goes. */
  readonly calls: readonly Call[];
};

const trace = async (): Promise<Traced> => {
  const scene = await createFaultScene(program);
  const listNext = async (): Promise<Call[]> => {
    editBackOrForth(scene.shell, scene.round);
    scene.round += 1;
    return listMutations(scene.start);
  };
  const keyOf = ({ name, path, ordinalOnPath }: Call) => `${name} ${path} ${ordinalOnPath}`;
  const others = new Set((await listNext()).map(keyOf));
  const calls = (await listNext()).filter((call) => others.has(keyOf(call)));
  return { scene, calls };
};

const callsOf = ({ scene, calls }: Traced, { at, isSerious = false }: Row): Call[] => {
  const folder = isSerious ? `${scene.folder}/output` : scene.folder;
  return calls.filter(
    ({ name, path }) => at.test(name) && path.startsWith(folder) && !path.endsWith('-shm'),
  );
};

/** Several scenes share a few lanes, side by side. */
const failAt = async (scenes: readonly Traced[], row: Row, every: number): Promise<FaultCount> => {
  const { error, onwards = false, isSerious = false } = row;
  const count: FaultCount = { builds: 0, refused: 0 };
  const lane = async (traced: Traced, at: number): Promise<void> => {
    const { scene } = traced;
    const mine = callsOf(traced, row).filter(
      (_call, place) => place % (every * scenes.length) === every * (at + 1) - 1,
    );
    for (const call of mine) {
      const { isRefused } = await buildAmidFaults(scene, (start) =>
        (onwards ? runFailingFrom : runFailingAt)(start, call, error),
      );
      if (isSerious) expect(isRefused, call.line).toBe(true);
      count.builds += 1;
      count.refused += Number(isRefused);
    }
  };
  await untilAllEnd(scenes.map(lane));
  return count;
};

const tooFewFiles = async (limits: readonly number[]): Promise<FaultCount> => {
  const scene = await createFaultScene(program);
  const count: FaultCount = { builds: 0, refused: 0 };
  for (const limit of limits) {
    const through = ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh'];
    const { isRefused } = await buildAmidFaults(scene, (start) =>
      runProgram({ ...start, through }),
    );
    count.builds += 1;
    count.refused += Number(isRefused);
  }
  return count;
};

describe.skipIf(STRACE_MISSING !== null)(`a failing disk (${STRACE_MISSING ?? 'strace'})`, () => {
  test('refused with a reason, or done without; nothing is lost', async () => {
    const scenes = await Promise.all(Array.from({ length: LANES }, () => trace()));
    for (const row of ROWS) {
      const { builds, refused } = await failAt(scenes, row, sized({ short: row.every, long: 1 }));
      sayRow(`${row.error} at ${row.at.source}${row.onwards ? ' and all later ones' : ''}`, {
        builds,
        'refused with a reason': refused,
        'truncated or lost files': 0,
      });
      expect(refused).toBeGreaterThan(0);
    }
  });
});

test('too few open files', async () => {
  const limits = sized({
    short: [32],
    long: Array.from({ length: 45 }, (_, at) => 20 + at),
  });
  const { builds, refused } = await tooFewFiles(limits);
  sayRow('limits of open files', { builds, 'refused with a reason': refused, 'lost files': 0 });
});
