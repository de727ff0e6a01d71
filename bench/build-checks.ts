// What full builds are held to, and how often each is measured.
import { type BuildResult, type BuildRound, peakOf, ratioTo } from './builds.ts';
import { atMost, type Check } from './checks.ts';
import type { FloorName } from './floors.ts';
import { PAUSES } from './processes.ts';
import { countPacked } from './tree.ts';

export const MEMORY_MAX_MB = 350;

type Limit = { readonly floor: FloorName; readonly isWarm: boolean; readonly max: number };

const WARM: readonly Limit[] = [
  { floor: 'tar -xf', isWarm: true, max: 1 },
  { floor: 'two-thread writer', isWarm: true, max: 1.25 },
];

/** By the number of posts. */
const LIMITS: ReadonlyMap<number, readonly Limit[]> = new Map([
  [10_000, [{ floor: 'tar -xf', isWarm: false, max: 0.75 }, ...WARM]],
  [50_000, [{ floor: 'tar -xf', isWarm: false, max: 0.55 }]],
  [100_000, WARM],
]);

/** The publication of a size has the same ids each time, so its tree has as many files. */
const PACKED_FILES: ReadonlyMap<number, number> = new Map([
  [1_000, 350],
  [10_000, 2_000],
  [100_000, 16_999],
]);

/** So many of each kind that there are limits for; where nobody waits until memory is cold, all are warm. */
export const planRounds = (posts: number, rounds: number): Pick<BuildRound, 'isWarm'>[] => {
  const limits = PAUSES.untilFreed > 0 ? (LIMITS.get(posts) ?? [{ isWarm: false }]) : WARM;
  const kinds = [...new Set(limits.map(({ isWarm }) => isWarm))];
  return kinds.flatMap((isWarm) => Array.from({ length: rounds }, () => ({ isWarm })));
};

export const checkBuilds = (build: BuildResult): Check[] => {
  const { posts, facts, rounds } = build;
  const checks = [
    atMost('memory', `peak memory in MB, ${posts} posts`, [
      peakOf(build) ?? Number.NaN,
      MEMORY_MAX_MB,
    ]),
  ];
  const packedMax = PACKED_FILES.get(posts);
  if (packedMax !== undefined) {
    const packed = countPacked(facts);
    checks.push(atMost('files', `packed files, ${posts} posts`, [packed, packedMax]));
  }
  for (const { floor, isWarm, max } of LIMITS.get(posts) ?? []) {
    const isMeasured = rounds.some((one) => one.isWarm === isWarm && one.floors.has(floor));
    if (!isMeasured) continue;
    const name = `full build of ${floor}, ${isWarm ? 'warm' : 'cold'}, ${posts} posts`;
    checks.push(atMost('time', name, [ratioTo(build, floor, isWarm), max]));
  }
  return checks;
};
