// One build, from the lock to the manifest: reads one snapshot, plans, renders, places the files, and
// only then says in the manifest which state of the publication the tree shows.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asDiskError, OUTPUT_UNWRITABLE, withDiskErrors } from '../../base/files/disk-error.ts';
import { type Durability, realDurability } from '../../base/files/durability.ts';
import { isInside } from '../../base/files/inside.ts';
import { makeFolder } from '../../base/files/make-folder.ts';
import { OwnFolders } from '../../base/files/own-folders.ts';
import { findStatKey } from '../../base/files/stat-key.ts';
import { Stopwatch } from '../../base/threads/stopwatch.ts';
import { RESOURCES } from '../../content/paths/endpoints.ts';
import { blobFile } from '../../content/tree/names.ts';
import { type RowProblem, rowsError } from '../../publication/documents/row-problem.ts';
import type { Position, Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { Manifest, ManifestState } from '../manifest/manifest.ts';
import { clearStaging, openSession } from '../output/session/open-session.ts';
import type { RecordFileSpec } from '../output/session/record-file-writer.ts';
import { removeReplaced } from '../output/session/replaced-files.ts';
import type { SessionReport } from '../output/session/session.ts';
import { findBlobs } from '../output/stale/find-blobs.ts';
import type { Levels } from '../packed/boundaries.ts';
import { buildPlanned, removeOrphanFiles } from './build-planned.ts';
import { fingerprintOf, settingsIn } from './fingerprint.ts';
import { buildFixedDocuments } from './lists/fixed-documents.ts';
import type { OutputSettings } from './output-settings.ts';
import type { PassContext } from './pass-context.ts';
import {
  countPlanned,
  type FullReason,
  isEmptyPlan,
  type Plan,
  planBuild,
  warningsOf,
} from './plan.ts';
import { createLocalPool, type PoolInput, type RenderPool } from './render/render-pool.ts';
import type { RenderWorkers } from './render/render-workers.ts';
import type { BlobMemory } from './tree/blob-memory.ts';
import { finishTree, openTree } from './tree/packed-tree.ts';

export type BuildProgress = {
  /** Records that were rendered, and about as many as there will be. */
  readonly records: number;
  readonly total: number;
  /** Records' files that were written. */
  readonly files: number;
};

export type BuildInput = {
  readonly snapshot: Snapshot;
  readonly manifest: Manifest;
  /** The content folder: output, base path and `content`. */
  readonly contentFolder: string;
  readonly settings: OutputSettings;
  readonly isFullAsked: boolean;
  /** What prepareBuild has made of these; absent: it is asked now. */
  readonly prepared?: PreparedBuild | undefined;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Called when all is rendered, before the disk is waited for. */
  readonly onPlacing?: (() => void) | undefined;
  readonly durability?: Durability;
  /** The process has nothing else to do: it ends when what was replaced is freed. */
  readonly isAlone?: boolean;
  /** Threads to render with, opened on the snapshot's commit; absent: this thread renders. */
  readonly workers?: RenderWorkers | null;
  /** Where blobs of the packed tree end; others only in tests. */
  readonly levels?: Levels;
  /** What the program keeps of blobs from build to build; absent in one that ends. */
  readonly blobMemory?: BlobMemory | undefined;
  readonly now?: () => number;
};

export type BuildReport = {
  readonly kind: 'full' | 'incremental';
  readonly reason: FullReason | null;
  /** The state of the publication that the tree shows now. */
  readonly position: Position;
  /** Number of the newest build that changed a byte: this one, or an earlier one. */
  readonly generation: number;
  readonly records: number;
  readonly files: SessionReport;
  readonly milliseconds: number;
  /** The part that went into the packed tree, its files' placing not counted. */
  readonly treeMilliseconds: number;
  readonly warnings: readonly string[];
};

/**
 * Brings the tree to the snapshot's state; the caller holds the build lock and closes the snapshot.
 * `generationMin` is the newest generation that was announced: a new one is greater.
 * Throws BUILD_INPUT_INVALID with every row that cannot be rendered, OUTPUT_UNWRITABLE for the disk.
 */
export const runBuild = async (input: BuildInput, generationMin: number): Promise<BuildReport> => {
  const started = performance.now();
  const { manifest, snapshot } = input;
  const prepared = input.prepared ?? (await prepareBuild(input));
  const { plan, state } = prepared;
  const report = (files: SessionReport, rest: Partial<BuildReport>): BuildReport => ({
    kind: plan.kind,
    reason: plan.kind === 'full' ? plan.reason : null,
    position: snapshot.position(),
    generation: manifest.generation(),
    records: 0,
    treeMilliseconds: 0,
    warnings: [],
    ...rest,
    files,
    milliseconds: Math.round(performance.now() - started),
  });
  const isToForget = input.settings.keepHours === 0 && manifest.replacedBlobs().length > 0;
  if (isEmptyPlan(plan) && !isToForget) {
    withDiskErrors(UNWRITABLE, () => clearStaging(prepared.root));
    removeReplaced(prepared.root, input.isAlone === true);
    if (state?.position.seq !== snapshot.position().seq) manifest.moveTo(snapshot.position());
    return report(NOTHING, {});
  }
  const built = await writeTree({ ...input, ...prepared, generationMin });
  return report(built.files, built);
};

export type PreparedBuild = {
  readonly root: string;
  readonly fingerprint: string;
  readonly state: ManifestState | null;
  readonly plan: Plan;
};

/** Decides what to build; makes the content folder if there is none. */
export const prepareBuild = async (
  input: Pick<BuildInput, 'contentFolder' | 'settings' | 'manifest' | 'snapshot' | 'isFullAsked'>,
): Promise<PreparedBuild> => {
  const { manifest, snapshot, isFullAsked } = input;
  const root = withDiskErrors(UNWRITABLE, () => {
    makeFolder(input.contentFolder);
    return realpathSync(input.contentFolder);
  });
  const fingerprint = fingerprintOf(input.settings);
  const state = manifest.state();
  const isTreeTrusted = (): boolean => areFilesTrusted(manifest, root);
  const planned = await planBuild({
    isFullAsked,
    state,
    root,
    fingerprint,
    isTreeTrusted,
    snapshot,
  });
  // A build that has nothing else to do looks for what somebody took away.
  const isMissed = isEmptyPlan(planned) && !hasAllBlobs(manifest, root);
  return { root, fingerprint, state, plan: isMissed ? TOUCHED : planned };
};

const TOUCHED: Plan = {
  kind: 'full',
  reason: 'the output was touched by something else',
  isTreeKnown: false,
};

const hasAllBlobs = (manifest: Manifest, root: string): boolean => {
  const standing = new Set(findBlobs(root).map(({ name }) => name));
  return manifest.blobNames().every((name) => standing.has(blobFile(name)));
};

const UNWRITABLE = { ...OUTPUT_UNWRITABLE, place: 'a file' };

const NOTHING: SessionReport = { written: 0, removed: 0, names: { written: [], removed: [] } };

/**
 * The lists and the other single files are the ones that were written, and the folders are real ones: then
 * the records' files are those that were written too.
 */
const areFilesTrusted = (manifest: Manifest, root: string): boolean => {
  const own = new OwnFolders(root);
  return (
    RESOURCES.every((resource) => !own.isTaken(join(root, resource, 'slug'))) &&
    [...manifest.files()].every(
      ({ path, statKey }) =>
        own.has(dirname(join(root, path))) && findStatKey(join(root, path)) === statKey,
    )
  );
};

type WriteInput = BuildInput & PreparedBuild & { readonly generationMin: number };

type Written = Pick<
  BuildReport,
  'files' | 'generation' | 'records' | 'treeMilliseconds' | 'warnings'
>;

const writeTree = async (input: WriteInput): Promise<Written> => {
  const { manifest, snapshot, root, plan, fingerprint, settings } = input;
  const isBrokenOff = manifest.state() === null;
  const isFull = plan.kind === 'full' && !plan.isTreeKnown;
  const { durability = realDurability } = input;
  const { encodings } = settings;
  const session = withDiskErrors(UNWRITABLE, () =>
    openSession({ root, compare: isFull, encodings, durability }),
  );
  manifest.begin();
  try {
    let records = 0;
    let leaves = 0;
    const total = countPlanned(plan, snapshot);
    input.onProgress?.({ records: 0, total, files: 0 });
    const context: PassContext = {
      snapshot,
      manifest,
      session,
      pool: createPool(input, session.leaves, (written) => {
        leaves += written.written;
        session.addRecordFiles(written);
      }),
      root,
      encodings,
      isFull,
      tree: openTree(input, session, isFull),
      takenBack: new Set(),
      problems: [],
      warnings: warningsOf(plan, { leftTree: findLeftTree(input), siteUrls: siteUrlsOf(input) }),
      treeWatch: new Stopwatch(),
      onRendered: (count) => {
        records += count;
        input.onProgress?.({ records, total: Math.max(records, total), files: leaves });
      },
    };
    const passes = await buildPlanned(context, plan);
    throwProblems(context.problems);
    // Before lists take memory.
    await input.workers?.close();
    const nowMs = (input.now ?? Date.now)();
    const packed = await finishTree(context, settings, { passes, nowMs });
    removeOrphanFiles(context, passes, input);
    await buildFixedDocuments(context, { render: settings.render, fingerprint, root: packed });
    input.onPlacing?.();
    const placed = await session.place();
    const files = isBrokenOff ? { ...placed, names: null } : placed;
    const hasChanged = files.written + files.removed > 0 || isBrokenOff;
    const latest = Math.max(manifest.generation(), input.generationMin);
    const generation = hasChanged ? latest + 1 : manifest.generation();
    manifest.commit({ root, fingerprint, generation, position: snapshot.position() });
    const treeMilliseconds = Math.round(context.treeWatch.milliseconds);
    return { files, generation, records, treeMilliseconds, warnings: context.warnings };
  } catch (cause) {
    await session.discard();
    manifest.rollback({ treeUntouched: !session.hasTouched() });
    throw asDiskError(cause, UNWRITABLE);
  } finally {
    removeReplaced(root, input.isAlone === true);
  }
};

/** The tree of the last build, where it is still there and does not hold this one: a link may lead from its name to the new one. */
const findLeftTree = ({ state, root }: PreparedBuild): string | null => {
  try {
    const before = state === null ? root : realpathSync(state.root);
    return isInside(root, before) ? null : before;
  } catch {
    return null;
  }
};

const siteUrlsOf = ({ state, fingerprint }: PreparedBuild): readonly [string, string] | null => {
  const [before, now] = [settingsIn(state?.fingerprint ?? ''), settingsIn(fingerprint)];
  return before && now && [before.siteUrl, now.siteUrl];
};

const createPool = (
  { snapshot, settings, workers }: WriteInput,
  spec: RecordFileSpec,
  onRecordFiles: PoolInput['onRecordFiles'],
): RenderPool => {
  const input = { settings: settings.render, spec, onRecordFiles };
  return workers ? workers.start(input) : createLocalPool(snapshot, input);
};

const throwProblems = (problems: readonly RowProblem[]): void => {
  // A record may have been rendered twice.
  const distinct = [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()];
  if (distinct.length > 0) throw rowsError(distinct);
};
