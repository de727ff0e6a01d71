// Places what the media folder holds at its addresses in the output, and takes out what left it; only folders that changed on
// either side are read. A file of the media folder takes the place of one that others put there. A media folder without any
// file removes nothing: its disk may not be mounted. Links are left out, and what was placed from their names stays. Names
// are placed in both normal forms of Unicode.
import type { Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { closing } from '../../../base/closing.ts';
import { OUTPUT_UNWRITABLE, withDiskErrors } from '../../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../../base/files/durability.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { OwnFolders } from '../../../base/files/own-folders.ts';
import { hasSameBytes } from '../../../base/files/same-bytes.ts';
import { findStat } from '../../../base/files/stat-key.ts';
import { groupBy } from '../../../base/group-by.ts';
import { IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import { type CopiedFiles, openCopiedFiles } from '../../../publication/media/copied-files.ts';
import { findReadFault, TAKEN } from '../../../publication/media/copy-media.ts';
import {
  type FolderContent,
  findMediaFolders,
  isSameFile,
  readMediaFolder,
  type Skipped,
  unreadable,
} from '../../../publication/media/media-folder.ts';
import type {
  FolderStatKeys,
  MediaIndex,
  PlacedFile,
} from '../../../publication/media/media-index.ts';
import { findFolderStatKey } from './folder-stat-key.ts';
import { PlacedFolders } from './placed-folders.ts';
import { findOnDisk, inBothForms, leftOutNames, type PlaceableFile } from './placed-names.ts';

export type PlaceMediaInput = {
  readonly media: string;
  readonly contentFolder: string;
  readonly index: MediaIndex;
  /** Reads every folder, and compares the bytes of every file. */
  readonly isFull?: boolean;
  readonly durability?: Durability;
};

export type MediaReport = {
  readonly placed: number;
  readonly removed: number;
  /** What was left out of the folders that were read; paths are relative to the media folder. */
  readonly skipped: readonly Skipped[];
};

/** The caller holds the images' lock. Throws OUTPUT_UNWRITABLE. */
export const placeMedia = (input: PlaceMediaInput): Promise<MediaReport> =>
  withDiskErrors({ ...OUTPUT_UNWRITABLE, place: 'a file' }, () => place(input));

const place = async (input: PlaceMediaInput): Promise<MediaReport> => {
  const { media, index, durability = realDurability, isFull = false } = input;
  makeFolder(input.contentFolder);
  const root = await realpath(input.contentFolder);
  index.openAt(root);
  const placed = new PlacedFolders({ media, root, index, durability });
  const skipped = [...findMediaFolders(media).skipped];
  const others = new Set(skipped.map(({ path }) => path));
  const counts = { placed: 0 };
  for (const name of IMAGE_FOLDERS.filter((one) => !others.has(one))) {
    const files = await openCopiedFiles(join(root, name), { durability });
    const own = new OwnFolders(root);
    const known = index.folders();
    const children = groupBy(known.keys(), dirname);
    const run = { media, root, isFull, known, children, index, files, own, placed };
    await closing(files, async () => {
      await placeFolder({ ...run, skipped, counts }, name);
      await placed.settle(files);
    });
  }
  return { ...counts, removed: placed.removed, skipped: [...skipped, ...placed.kept] };
};

type Run = {
  readonly media: string;
  readonly root: string;
  readonly isFull: boolean;
  readonly index: MediaIndex;
  readonly known: ReadonlyMap<string, FolderStatKeys>;
  /** Paths of the known folders that lie in each. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly files: CopiedFiles;
  readonly own: OwnFolders;
  readonly placed: PlacedFolders;
  readonly skipped: Skipped[];
  readonly counts: { placed: number };
};

const NOTHING: FolderContent = { files: [], folders: [], skipped: [] };

const placeFolder = async (run: Run, folder: string): Promise<void> => {
  const from = findOnDisk(run.media, folder);
  const source = findFolderStatKey(join(run.media, from));
  const children = run.children.get(folder) ?? [];
  if (isUnchanged(run, folder, source)) {
    for (const child of children) await placeFolder(run, child);
    return;
  }
  if (source === null && !isGone(run, folder, from)) return;
  const readMs = Date.now();
  let content = NOTHING;
  try {
    if (source !== null) content = await readMediaFolder(join(run.media, from));
  } catch (error) {
    run.skipped.push({ path: folder, reason: unreadable(error) });
    return;
  }
  const pathOf = (name: string): string => `${folder}/${name}`;
  const skipped = content.skipped.map(({ path, reason }) => ({ path: pathOf(path), reason }));
  run.skipped.push(...skipped);
  const before = run.index.files(folder);
  const { files: placeable, folders } = inBothForms(content, from);
  const files = await placeFiles(run, folder, placeable);
  const others = new Set([...leftOutNames(content)].map(pathOf));
  for (const child of new Set([...folders.map(pathOf), ...children])) {
    if (!others.has(child)) await placeFolder(run, child);
  }
  const there = new Set([...placeable, ...files].map(({ name }) => name));
  const gone = before.filter(({ name }) => !there.has(name) && !others.has(pathOf(name)));
  run.placed.add({ folder, source, readMs, files: changesOf(before, files), gone });
  if (run.placed.isLarge()) await run.placed.settle(run.files);
};

/** A link, or what else is left out, may stand there: the folder above, where it is as it was left, does not say so. */
const isGone = (run: Run, folder: string, from: string): boolean => {
  if (!run.known.has(folder)) return false;
  const found = findStat(join(run.media, from));
  return found === undefined || found.isFile();
};

/** True when the folder is on both sides as it was left. */
const isUnchanged = (run: Run, folder: string, source: string | null): boolean => {
  const known = run.known.get(folder);
  if (run.isFull || known === undefined || known.source !== source) return false;
  const target = join(run.root, folder);
  return run.own.has(dirname(target)) && known.target === findFolderStatKey(target);
};

/** As many files are compared in one tick of the event loop. */
const FILES_PER_TICK = 200;

/** Copies what differs; returns what stands in the output once it has its name. */
const placeFiles = async (
  run: Run,
  folder: string,
  files: readonly PlaceableFile[],
): Promise<PlacedFile[]> => {
  const standing: PlacedFile[] = [];
  const isReal = run.own.has(join(run.root, folder));
  for (const [at, file] of files.entries()) {
    if (at % FILES_PER_TICK === FILES_PER_TICK - 1) await tick();
    const path = `${folder}/${file.name}`;
    const target = isReal ? findStat(join(run.root, path)) : undefined;
    const reason = target?.isDirectory() ? TAKEN : await placeFile(run, path, { file, target });
    if (reason !== null) run.skipped.push({ path, reason });
    else standing.push({ name: file.name, size: file.stats.size, mtimeMs: file.stats.mtimeMs });
  }
  return standing;
};

type Pair = { readonly file: PlaceableFile; readonly target: Stats | undefined };

/** Null, or why the file cannot be placed. */
const placeFile = async (
  run: Run,
  path: string,
  { file, target }: Pair,
): Promise<string | null> => {
  const [from, to] = [join(run.media, file.from), join(run.root, path)];
  const isSame = target?.isFile() === true && isSameFile(file.stats, target);
  if (isSame && (!run.isFull || (await hasSameBytes(from, to)))) return null;
  const reason = await findReadFault(from);
  if (reason !== null) return reason;
  await run.files.add(from, to, { stats: file.stats });
  run.counts.placed += 1;
  return null;
};

const changesOf = (before: readonly PlacedFile[], files: readonly PlacedFile[]): PlacedFile[] => {
  const known = new Map(before.map((file) => [file.name, file]));
  return files.filter((file) => {
    const earlier = known.get(file.name);
    return earlier === undefined || !isSameFile(earlier, file);
  });
};
