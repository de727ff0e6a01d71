// Opens what a build reads from: one snapshot, and for much work also threads that see the same commit.
import { findBundledWorker } from '../../base/threads/thread.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { Store } from '../../publication/store/store.ts';
import { type BuildThread, type BuildThreadFiles, startBuildThread } from './build-thread.ts';
import { countPlanned, type Plan } from './plan.ts';
import { type RenderWorkers, startRenderThreads } from './render/render-workers.ts';

/** Below this many records, threads cost more than they save. */
const WORKER_RECORDS_MIN = 1_000;

export type OpenBuild = {
  readonly snapshot: Snapshot;
  /** Threads that render for a build in this thread. */
  readonly workers: RenderWorkers | null;
  /** Builds from the same commit; null: this thread builds. */
  readonly thread: BuildThread | null;
};

type Options = {
  readonly planOf: (snapshot: Snapshot) => Promise<Plan>;
  /** Whether this thread must not build, because others wait for it meanwhile; absent: it may. */
  readonly isApart?: (plan: Plan, snapshot: Snapshot) => Promise<boolean>;
  /** The bundled worker that renders; null: the thread that builds renders. */
  readonly workerFile?: string | null;
  /** The bundled worker that builds; null: this thread builds. */
  readonly buildWorkerFile?: string | null;
  readonly workerRecordsMin?: number;
};

/** The caller closes all of it. */
export const openBuild = async (store: Store, options: Options): Promise<OpenBuild> => {
  const first = store.snapshot();
  let files: WorkerFiles;
  try {
    files = await chooseThreads(options, first);
  } catch (error) {
    first.close();
    throw error;
  }
  const { buildWorker, renderWorker } = files;
  if (buildWorker === null && renderWorker === null) {
    return { snapshot: first, workers: null, thread: null };
  }
  first.close();
  return buildWorker === null
    ? openRendering(store, renderWorker as string)
    : openApart(store, { buildWorker, renderWorker });
};

/** Of threads that are not to be started, null. */
type WorkerFiles = { readonly buildWorker: string | null; readonly renderWorker: string | null };

const chooseThreads = async (options: Options, snapshot: Snapshot): Promise<WorkerFiles> => {
  const {
    workerFile = findBundledWorker('render-worker'),
    buildWorkerFile = findBundledWorker('build-worker'),
    workerRecordsMin = WORKER_RECORDS_MIN,
  } = options;
  const plan = await options.planOf(snapshot);
  const isMany = countPlanned(plan, snapshot) >= workerRecordsMin;
  const isApart = buildWorkerFile !== null && (await options.isApart?.(plan, snapshot));
  return {
    buildWorker: isApart ? buildWorkerFile : null,
    renderWorker: isMany ? workerFile : null,
  };
};

// No writer can commit while their transactions last, so every snapshot opened in one is of one commit. The threads run
// already: it lasts milliseconds.

const openApart = async (store: Store, files: BuildThreadFiles): Promise<OpenBuild> => {
  const thread = await startBuildThread(files);
  try {
    return await store.hold(async () => {
      await thread.open(store.path);
      return { snapshot: store.snapshot(), workers: null, thread };
    });
  } catch (error) {
    await thread.close();
    throw error;
  }
};

const openRendering = async (store: Store, renderWorker: string): Promise<OpenBuild> => {
  const threads = await startRenderThreads(renderWorker);
  try {
    return await store.hold(async () => {
      const workers = await threads.open(store.path);
      return { snapshot: store.snapshot(), workers, thread: null };
    });
  } catch (error) {
    await threads.close();
    throw error;
  }
};
