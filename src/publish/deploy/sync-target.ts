// Brings one target to what the output is now: by what builds changed since the one that stands there, else by comparing.
// The state of the target moves when all of it is there.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import type { FileLock } from '../../base/sqlite/lock-file.ts';
import { forEachYielding } from '../../base/threads/for-each-yielding.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import { carry, findDifferences } from './deploy.ts';
import { isBeside, localFiles, type SeenFile } from './local-files.ts';
import { type OutputSource, withOutputAtRest } from './output-source.ts';
import { type Base, isRemovable, type Selected, type Staged, stageOutput } from './stage-output.ts';
import type { DeployTarget } from './target.ts';
import {
  lockFileOf,
  NO_FAILURE,
  readTargetState,
  stateFileOf,
  type TargetState,
  writeTargetState,
} from './target-state.ts';
import { openUploaded, standing, type Uploaded, type UploadedFiles, withGone } from './uploaded.ts';

export type Destination = {
  /** For people; without secrets. */
  readonly name: string;
  /** Part of the names of its files in the folder. */
  readonly id: string;
  readonly selected: Selected;
  /** What decides which files it gets: after another text the whole output is compared. */
  readonly facts: string;
  /** Tells what was carried from what stands in its place now, such as an older copy: after another text, all is compared. */
  readonly mark?: () => string;
  readonly open: (signal: AbortSignal | undefined) => Promise<DeployTarget>;
};

export type SyncTargetOptions = {
  /** Compares with all that stands at the target, whatever is known of it. */
  readonly isWhole?: boolean;
  /** Ends it early; the next run goes on. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (files: number, total: number) => void;
};

export type SyncedTarget = {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that were compared and stood there already; null: none were compared. */
  readonly unchanged: number | null;
  /** 0: no build of ours wrote the output. */
  readonly generation: number;
};

/** One at a time for each target, in all programs. Throws DEPLOY_FAILED, and what the target throws. */
export const syncTarget = async (
  source: OutputSource,
  destination: Destination,
  options: SyncTargetOptions = {},
): Promise<SyncedTarget> => {
  const { folder } = source;
  const lock = await lockTarget(folder, destination, options.signal);
  const staging = join(folder, `staged-${destination.id}`);
  let opened: DeployTarget | null = null;
  const open = async (): Promise<DeployTarget> => {
    opened ??= await destination.open(options.signal);
    return opened;
  };
  const close = (): void => opened?.close?.();
  try {
    rmSync(staging, { recursive: true, force: true });
    return await run({ ...options, source, destination, open, staging });
  } finally {
    close();
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
};

const LOCK_TIMEOUT_MS = 10 * 60_000;
/** Files that are listed in one tick of the event loop. */
const LISTED = 500;

const lockTarget = async (
  folder: string,
  { id, name }: Destination,
  signal: AbortSignal | undefined,
): Promise<FileLock> => {
  makeFolder(folder, { isPrivate: true });
  try {
    return await acquireBuildLock(lockFileOf(folder, id), LOCK_TIMEOUT_MS, signal);
  } catch (cause) {
    if (!(cause instanceof PrepressError) || cause.code !== 'BUILD_BUSY') throw cause;
    throw new PrepressError('DEPLOY_FAILED', `Another program is deploying to ${name}.`, { cause });
  }
};

type RunInput = SyncTargetOptions & {
  readonly source: OutputSource;
  readonly destination: Destination;
  /** The same each time. */
  readonly open: () => Promise<DeployTarget>;
  readonly staging: string;
};

const run = async (input: RunInput): Promise<SyncedTarget> => {
  const { source, destination, staging, signal, onProgress, isWhole = false } = input;
  const { selected, id, name } = destination;
  const file = stateFileOf(source.folder, id);
  const state = readTargetState(file, name);
  const record = openUploaded(join(source.folder, `carried-${id}.json`));
  const all = record.files();
  const carried = standing(all, isOther(source, destination));
  const trees = [...new Set([source.content, ...state.trees])];
  const common = { source, selected, carried, trees, staging, signal };
  const isKnown = !isWhole && state.entry !== null && state.facts === factsOf(destination);
  const known: Base = { entry: state.entry, differing: null, beside: carried };
  let staged = isKnown ? await stageOutput({ ...common, base: known }) : null;
  if (staged !== null && isNothing(staged, state)) {
    return { written: [], removed: [], unchanged: null, generation: staged.generation };
  }
  const isLost = staged === null && !isWhole;
  const begun = {
    ...state,
    ...(isLost && { generation: null, entry: null }),
    trees,
    isUnderWay: true,
  };
  writeTargetState(file, begun);
  const target = await input.open();
  if (state.isUnderWay) await target.recover?.();
  let unchanged: number | null = null;
  while (staged === null) {
    signal?.throwIfAborted();
    const base = await compare(input, { carried, trees });
    unchanged = base.unchanged;
    staged = await stageOutput({ ...common, base });
  }
  const { changed, removed, generation, entry, beside } = staged;
  await saveIfOther(record, withGone(meanwhile(staged, carried), all));
  await carry({ target, changed, removed, content: source.content, onProgress, signal });
  await saveIfOther(record, withGone(beside, all));
  const facts = factsOf(destination);
  const there = entry === null ? {} : { generation, entry, facts, ...NO_FAILURE };
  const carriedAt = source.clock.now();
  writeTargetState(file, {
    ...begun,
    ...there,
    trees: treesLeft(unchanged, { trees, source }),
    carriedAt,
    isUnderWay: false,
  });
  return { written: changed.map(({ path }) => path), removed, unchanged, generation };
};

/** Where all was compared, others went. */
const treesLeft = (
  compared: number | null,
  { trees, source }: { readonly trees: readonly string[]; readonly source: OutputSource },
): string[] => (compared === null ? [...trees] : [source.content]);

const factsOf = ({ facts, mark }: Destination): string => facts + (mark?.() ?? '');

/** Something other stands there than what was carried, or is to be carried. */
const isOther = ({ folder }: OutputSource, destination: Destination): boolean => {
  const { entry, facts } = readTargetState(stateFileOf(folder, destination.id), destination.name);
  return entry !== null && facts !== factsOf(destination);
};

/** The target has all of it, and the last run ended well. */
const isNothing = (staged: Staged, state: TargetState): boolean =>
  staged.changed.length + staged.removed.length + state.failures === 0 &&
  staged.generation === state.generation &&
  !state.isUnderWay;

type ComparedBase = Base & { readonly unchanged: number };

/** Builds go on meanwhile: what they change is told by the journal. */
const compare = async (
  { source, destination: { selected }, open, signal }: RunInput,
  { carried, trees }: { readonly carried: UploadedFiles; readonly trees: readonly string[] },
): Promise<ComparedBase> => {
  const entry = await withOutputAtRest(source, signal, async (rest) => rest.entry);
  const files: SeenFile[] = [];
  const note = (file: SeenFile): void => {
    if (selected.isCarried(file.path) && !selected.isKept(file.path)) files.push(file);
  };
  await forEachYielding(localFiles(source.output), note, LISTED);
  const { changed, removed } = await findDifferences({
    target: await open(),
    files,
    isRemovable: (path) => isRemovable(path, { trees, selected, carried }),
  });
  const beside = files.filter(({ path }) => isBeside(path, source.content));
  return {
    entry,
    differing: [...changed.map(({ path }) => path), ...removed],
    beside: new Map(beside.map(({ path, statKey }) => [path, statKey])),
    unchanged: files.length - changed.length,
  };
};

/** What lies beside the tree at the target while it is carried: what is put or removed may stand there, or not. */
const meanwhile = ({ changed, removed, beside }: Staged, carried: UploadedFiles): UploadedFiles => {
  const open = [...changed.map(({ path }) => path).filter((path) => beside.has(path))];
  const gone = removed.filter((path) => carried.has(path));
  return new Map([...beside, ...[...open, ...gone].map((path) => [path, null] as const)]);
};

const saveIfOther = async (record: Uploaded, files: UploadedFiles): Promise<void> => {
  const known = record.files();
  const isSame =
    known.size === files.size && [...files].every(([path, statKey]) => known.get(path) === statKey);
  if (!isSame) await record.save(files);
};
