// The thread of one build: it opens a snapshot when told to, builds from it with the manifest's file, and says how it
// goes. Threads that render are started by it, where the build wants them.
import { serveThread } from '../../base/threads/serve-thread.ts';
import { openSnapshot } from '../../publication/snapshot/open-snapshot.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import { openManifest } from '../manifest/open-manifest.ts';
import {
  type RenderThreads,
  type RenderWorkers,
  startRenderThreads,
} from './render/render-workers.ts';
import { type BuildInput, type BuildProgress, type BuildReport, runBuild } from './run-build.ts';

export type BuildTask = Pick<BuildInput, 'contentFolder' | 'settings' | 'isFullAsked'> & {
  readonly manifestPath: string;
  readonly generationMin: number;
  readonly nowMs: number;
};

export type BuildRequest =
  /** `renderWorker`: that of threads that render; null: this thread renders. */
  | { readonly kind: 'start'; readonly renderWorker: string | null }
  | { readonly kind: 'open'; readonly databasePath: string }
  | { readonly kind: 'run'; readonly task: BuildTask };

let threads: RenderThreads | null = null;
let snapshot: Snapshot | null = null;
let workers: RenderWorkers | null = null;

const run = async (
  task: BuildTask,
  onProgress: (progress: BuildProgress) => void,
): Promise<BuildReport> => {
  if (snapshot === null) throw new Error('A build was run before its snapshot was opened.');
  const { manifestPath, generationMin, nowMs, ...input } = task;
  const manifest = openManifest(manifestPath);
  try {
    return await runBuild(
      { ...input, snapshot, manifest, workers, now: () => nowMs, onProgress },
      generationMin,
    );
  } finally {
    manifest.close();
    snapshot.close();
    await workers?.close();
  }
};

/** Only a run is answered with something: its report. */
serveThread(async (request: BuildRequest, tell: (progress: BuildProgress) => void) => {
  if (request.kind === 'run') return run(request.task, tell);
  if (request.kind === 'start') {
    if (request.renderWorker !== null) threads = await startRenderThreads(request.renderWorker);
  } else {
    workers = (await threads?.open(request.databasePath)) ?? null;
    snapshot = openSnapshot(request.databasePath);
  }
  return null;
});
