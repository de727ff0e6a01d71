// What importing a live Ghost costs: whole processes on its SQLite file, the memory beside that of a tenth of
// the rows, and how even the progress is that it tells.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, type Check, median } from './checks.ts';
import { MEMBERS_PER_POST, makeGhostSource } from './ghost-source.ts';
import { remove, run, settle } from './processes.ts';

export type ImportResult = {
  readonly posts: number;
  readonly members: number;
  readonly rows: number;
  readonly sourceMb: number;
  readonly seconds: number;
  readonly peakMb: number;
  readonly unevenness: number;
};

const PROGRAM = join(import.meta.dirname, 'import-run.js');

export const measureImport = async (
  folder: string,
  posts: number,
  rounds: number,
): Promise<ImportResult> => {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'ghost.db');
  const rows = await makeGhostSource(source, posts);
  const runs: { readonly seconds: number; readonly peakMb: number; readonly unevenness: number }[] =
    [];
  for (let round = 0; round < rounds; round += 1) {
    const place = join(folder, `into-${round}`);
    mkdirSync(place);
    await settle(folder);
    const { seconds, peakMb, stdout } = await run(process.execPath, [
      PROGRAM,
      source,
      join(place, 'publication.db'),
    ]);
    const { unevenness } = JSON.parse(stdout) as { unevenness: number };
    runs.push({ seconds, peakMb: peakMb ?? Number.NaN, unevenness });
    await remove(place);
  }
  return {
    posts,
    members: posts * MEMBERS_PER_POST,
    rows,
    sourceMb: statSync(source).size / 1e6,
    seconds: median(runs.map((one) => one.seconds)),
    peakMb: Math.max(...runs.map((one) => one.peakMb)),
    unevenness: Math.max(...runs.map((one) => one.unevenness)),
  };
};

const PEAK_MAX_MB = 250;
const GROWTH_MAX = 1.3;
const UNEVENNESS_MAX = 0.15;

/** Of ten times the rows. */
export const checkImports = (small: ImportResult, large: ImportResult): Check[] => [
  atMost('memory', `peak memory in MB of an import, ${large.posts} posts`, [
    large.peakMb,
    PEAK_MAX_MB,
  ]),
  atMost('memory', 'peak memory of an import of ten times the rows, as a ratio', [
    large.peakMb / small.peakMb,
    GROWTH_MAX,
  ]),
  atMost('time', 'how far the progress of an import is from the time, as a share', [
    large.unevenness,
    UNEVENNESS_MAX,
  ]),
];
