// Makes the sizes that wait to be made, one picture at a time in a process, and places each batch under the build lock. One
// program does it at a time. What is killed goes on at the next run.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findHash } from '../../base/files/file-hash.ts';
import { findStat } from '../../base/files/file-stamp.ts';
import { findBundledWorker } from '../../base/threads/thread.ts';
import { isSameFile } from '../../publication/media/media-folder.ts';
import { acquireBuildLock, tryBuildLock } from '../../publication/store/locks/build-lock.ts';
import type { Encoded } from './encode-picture.ts';
import { createEncoderProcess, type EncoderProcess } from './encoder-process.ts';
import { placeSizes, type SizesPlace } from './place-sizes.ts';
import { indexFileOf, openSizesIndex, sizesLockOf } from './sizes-index.ts';
import { type SizesPublication, withSizes } from './update-sizes.ts';
import { wantedSizes } from './wanted-sizes.ts';

const SHARP = 'sharp@0.35.5';

/** Said where sizes are asked for and sharp is absent. */
export const NO_SHARP = `Pictures are not made in sizes, because the package sharp is not installed: the original answers. Run "npm install ${SHARP}".`;

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
};

export type MakeOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Of the process, as `nice` has it: a server answers others meanwhile. */
  readonly priority?: number;
  /** The bundled worker; null: the program runs from its sources, and makes none. */
  readonly workerFile?: string | null;
};

const NOTHING: MadeSizes = { pictures: 0, placed: 0 };
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
  try {
    return await withSizes(publication, (place) =>
      makeAll({ ...place, buildLock: paths.buildLock, workerFile }, options),
    );
  } finally {
    lock.release();
  }
};

type Making = SizesPlace & { readonly buildLock: string; readonly workerFile: string };

const makeAll = async (
  making: Making,
  { signal, onProgress, priority = 0 }: MakeOptions,
): Promise<MadeSizes> => {
  const { index } = making;
  const encoder = createEncoderProcess(making.workerFile, priority);
  const tried = new Set<string>();
  let [pictures, placed] = [0, 0];
  try {
    for (;;) {
      const waiting = index.waiting().filter((path) => !tried.has(path));
      const batch = waiting.slice(0, BATCH);
      if (batch.length === 0) return { pictures, placed };
      for (const path of batch) {
        signal?.throwIfAborted();
        tried.add(path);
        onProgress?.({ done: pictures, total: pictures + waiting.length });
        await makeOne(making, path, encoder.encode);
        pictures += 1;
      }
      placed += await placeLocked(making, batch, signal);
    }
  } finally {
    await encoder.close();
  }
};

const placeLocked = async (
  place: SizesPlace & Pick<Making, 'buildLock'>,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<number> => {
  const lock = await acquireBuildLock(place.buildLock, LOCK_TIMEOUT_MS, signal);
  try {
    return (await placeSizes(place, paths)).placed;
  } finally {
    lock.release();
  }
};

/** After pictures came whose records were there before. Throws OUTPUT_UNWRITABLE. */
export const placeAllSizes = async (publication: SizesPublication): Promise<void> => {
  const { sizes, buildLock } = publication.paths;
  if (!existsSync(indexFileOf(sizes))) return;
  await withSizes(publication, (place) =>
    placeLocked({ ...place, buildLock }, place.index.paths()),
  );
};

const makeOne = async (
  making: Making,
  path: string,
  encode: EncoderProcess['encode'],
): Promise<void> => {
  const { index, settings, root, folder } = making;
  const file = join(root, path);
  const stats = findStat(file);
  if (stats?.isFile() !== true) return;
  const known = index.original(path);
  const made = known !== undefined && isSameFile(stats, known) ? index.made(known.hash) : null;
  const sizes = wantedSizes(index.usesOf(path), settings).filter((size) => {
    const name = made?.get(size);
    return name === undefined || (name !== '' && !existsSync(join(folder, name)));
  });
  if (sizes.length === 0) return;
  const encoded = (await encode({ file, sizes, folder })) ?? asOriginal(file, sizes);
  index.inOne(() => {
    index.putOriginal(path, stats, encoded.hash);
    index.putMade(encoded.hash, encoded.made);
    if (encoded.fault !== null) index.putFault(encoded.hash, encoded.fault);
  });
};

const asOriginal = (file: string, sizes: readonly string[]): Encoded => ({
  hash: findHash(file)?.toString('hex') ?? '',
  made: Object.fromEntries(sizes.map((size) => [size, ''])),
  fault: 'ended the process that resizes pictures, or took longer than ten minutes',
});

export type SizesState = {
  /** Files that were made, and pictures that wait for theirs. */
  readonly made: number;
  readonly waiting: number;
  /** Files at the addresses of sizes. */
  readonly files: number;
  /** Pictures that have their original in all sizes. */
  readonly faults: readonly { readonly path: string; readonly reason: string }[];
};

export const describeSizes = ({ paths }: Pick<SizesPublication, 'paths'>): SizesState => {
  if (!existsSync(indexFileOf(paths.sizes))) return { made: 0, waiting: 0, files: 0, faults: [] };
  const index = openSizesIndex(paths.sizes);
  try {
    return { ...index.totals(), faults: index.faults() };
  } finally {
    index.close();
  }
};
