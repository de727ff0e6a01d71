// Opens what a build reads from: one snapshot, and for much work also threads that see the same commit.
import { findBundledWorker } from '../emit/bundled-worker.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';
import { countPlanned, type Plan } from './plan.ts';
import { type RenderWorkers, startRenderThreads } from './render-workers.ts';

/** Below this many records, threads cost more than they save. */
const WORKER_RECORDS_MIN = 1_000;

export type OpenBuild = { readonly snapshot: Snapshot; readonly workers: RenderWorkers | null };

type Options = {
  readonly planOf: (snapshot: Snapshot) => Promise<Plan>;
  /** The bundled worker; null: this thread renders. */
  readonly workerFile?: string | null;
  readonly workerRecordsMin?: number;
  /** The present: a post published for later that nobody has put back yet is not shown. */
  readonly present?: () => number;
};

/** The caller closes both. */
export const openBuild = async (store: Store, options: Options): Promise<OpenBuild> => {
  const { workerFile = findBundledWorker('render-worker'), workerRecordsMin = WORKER_RECORDS_MIN } =
    options;
  const first = store.snapshot(options.present);
  try {
    const records = countPlanned(await options.planOf(first), first);
    if (workerFile === null || records < workerRecordsMin)
      return { snapshot: first, workers: null };
  } catch (error) {
    first.close();
    throw error;
  }
  first.close();
  const threads = await startRenderThreads(workerFile);
  try {
    // No writer can commit while this transaction lasts, so every snapshot opened in it is of one commit.
    // The threads run already: it lasts milliseconds.
    return await store.write(async () => {
      const workers = await threads.open(store.path);
      return { snapshot: store.snapshot(options.present), workers };
    });
  } catch (error) {
    await threads.close();
    throw error;
  }
};
