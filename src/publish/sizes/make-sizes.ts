// Makes the sizes that wait to be made, one picture at a time in a process, and places each batch under the build lock. One
// program does it at a time. What is killed goes on at the next run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { closing, releasing } from '../../base/closing.ts';
import { findBundledWorker } from '../../base/threads/thread.ts';
import { acquireBuildLock, tryBuildLock } from '../../publication/store/locks/build-lock.ts';
import { createEncoderProcess } from './encoder-process.ts';
import { makePicture } from './make-picture.ts';
import { placeSizes, type SizesPlace } from './place-sizes.ts';
import { type Fault, indexFileOf, openSizesIndex, sizesLockOf } from './sizes-index.ts';
import { type SizesPublication, withSizes } from './update-sizes.ts';

const SHARP = 'sharp@0.35.5';

/** Said where sizes are asked for and sharp is absent. */
export const NO_SHARP = `Pictures are not resized, because the package sharp is not installed: the originals are sent. Run "npm install ${SHARP}".`;

/** `problem`: why no size can be made. */
export const waitingLine = (problem: string): string =>
  `Pictures wait to be resized, and their originals are sent: ${problem}`;

/** As Node.js finds packages from `place`, the address of a file. */
export const hasSharp = (place = import.meta.url): boolean => {
  try {
    return createRequire(place).resolve('sharp') !== '';
  } catch {
    return false;
  }
};

export type MadeSizes = {
  /** Pictures that were looked at. */
  readonly pictures: number;
  /** Files that were placed in the output. */
  readonly placed: number;
  /** Why those that wait cannot be made now; null: nothing hinders it. */
  readonly problem: string | null;
};

export type MakeOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Of the process, as `nice` has it: a server answers others meanwhile. */
  readonly priority?: number;
  /** The bundled worker; null: the program runs from its sources, and makes none. */
  readonly workerFile?: string | null;
};

const NOTHING: MadeSizes = { pictures: 0, placed: 0, problem: null };
const BATCH = 20;
const LOCK_TIMEOUT_MS = 10 * 60_000;

/** Throws OUTPUT_UNWRITABLE; what the signal says where it ends the work. */
export const makeSizes = async (
  publication: SizesPublication,
  options: MakeOptions = {},
): Promise<MadeSizes> => {
  const { paths } = publication;
  const { workerFile = findBundledWorker('size-worker') } = options;
  if (workerFile === null || !existsSync(indexFileOf(paths.sizes)) || !hasSharp()) return NOTHING;
  const lock = tryBuildLock(sizesLockOf(paths.sizes));
  if (lock === null) return NOTHING;
  return releasing(lock, () =>
    withSizes(publication, (place) =>
      makeAll({ ...place, buildLock: paths.buildLock, workerFile }, options),
    ),
  );
};

type Making = SizesPlace & { readonly buildLock: string; readonly workerFile: string };

const makeAll = async (
  making: Making,
  { signal, onProgress, priority = 0 }: MakeOptions,
): Promise<MadeSizes> => {
  const { index } = making;
  const encoder = createEncoderProcess(making.workerFile, priority);
  // Nobody waits for the picture under way where the program ends, nor hears whether its process does.
  const end = (): void => void encoder.close().catch(() => undefined);
  signal?.addEventListener('abort', end);
  const encode: typeof encoder.encode = async (request) => {
    signal?.throwIfAborted();
    const said = await encoder.encode(request);
    signal?.throwIfAborted();
    return said;
  };
  const tried = new Set<string>();
  let [pictures, placed] = [0, 0];
  let problem: string | null = null;
  try {
    while (problem === null) {
      const waiting = index.waiting().filter((path) => !tried.has(path));
      const batch = waiting.slice(0, BATCH);
      if (batch.length === 0) break;
      const total = pictures + waiting.length;
      for (const path of batch) {
        signal?.throwIfAborted();
        tried.add(path);
        onProgress?.({ done: pictures, total });
        problem = await makePicture(making, path, encode);
        if (problem !== null) break;
        pictures += 1;
      }
      placed += await placeLocked(making, batch, signal);
    }
    if (tried.size > 0) index.setProblem(problem);
    return { pictures, placed, problem };
  } finally {
    signal?.removeEventListener('abort', end);
    await encoder.close();
  }
};

const placeLocked = async (
  place: SizesPlace & Pick<Making, 'buildLock'>,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<number> => {
  const lock = await acquireBuildLock(place.buildLock, LOCK_TIMEOUT_MS, signal);
  return releasing(lock, async () => (await placeSizes(place, paths)).placed);
};

/** After pictures came whose records were there before. Throws OUTPUT_UNWRITABLE. */
export const placeAllSizes = async (publication: SizesPublication): Promise<void> => {
  const { sizes, buildLock } = publication.paths;
  if (!existsSync(indexFileOf(sizes))) return;
  await withSizes(publication, (place) =>
    placeLocked({ ...place, buildLock }, place.index.paths()),
  );
};

export type SizesState = {
  /** Files that were made, and pictures that wait for theirs. */
  readonly made: number;
  readonly waiting: number;
  /** Why those that wait cannot be made; null: nothing hinders it. */
  readonly problem: string | null;
  /** Files at the addresses of sizes. */
  readonly files: number;
  readonly faults: readonly Fault[];
};

const NO_SIZES: SizesState = { made: 0, waiting: 0, problem: null, files: 0, faults: [] };

export const describeSizes = ({ paths }: Pick<SizesPublication, 'paths'>): SizesState => {
  if (!existsSync(indexFileOf(paths.sizes))) return NO_SIZES;
  return closing(openSizesIndex(paths.sizes), (index) => ({
    ...index.totals(),
    faults: index.faults(),
  }));
};
