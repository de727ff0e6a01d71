// The thread of one build: it opens a snapshot when told to, builds from it with the manifest's file, and says how it
// goes. Threads that render are started by it, where the build wants them.
import { parentPort, workerData } from 'node:worker_threads';
import { type PackedError, packError } from '../../base/threads/thread-error.ts';
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
  | { readonly kind: 'open'; readonly databasePath: string }
  | { readonly kind: 'run'; readonly task: BuildTask };

export type BuildAnswer =
  /** It runs. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'progress'; readonly progress: BuildProgress }
  | { readonly kind: 'built'; readonly report: BuildReport }
  | { readonly kind: 'failed'; readonly error: PackedError };

/** Null: this thread renders. */
const { renderWorker } = workerData as { readonly renderWorker: string | null };

const say = (answer: BuildAnswer): void => parentPort?.postMessage(answer);

let threads: RenderThreads | null = null;
let snapshot: Snapshot | null = null;
let workers: RenderWorkers | null = null;

const act = async (request: BuildRequest): Promise<BuildAnswer> => {
  if (request.kind === 'open') {
    const { databasePath } = request;
    workers = (await threads?.open(databasePath)) ?? null;
    snapshot = openSnapshot(databasePath);
    return { kind: 'opened' };
  }
  if (snapshot === null) throw new Error('A build was run before its snapshot was opened.');
  const { manifestPath, generationMin, nowMs, ...input } = request.task;
  const manifest = openManifest(manifestPath);
  try {
    const report = await runBuild(
      {
        ...input,
        snapshot,
        manifest,
        workers,
        now: () => nowMs,
        onProgress: (progress) => say({ kind: 'progress', progress }),
      },
      generationMin,
    );
    return { kind: 'built', report };
  } finally {
    manifest.close();
    snapshot.close();
    await workers?.close();
  }
};

parentPort?.on('message', async (request: BuildRequest) => {
  try {
    say(await act(request));
  } catch (error) {
    say({ kind: 'failed', error: packError(error) });
  }
});

if (renderWorker !== null) threads = await startRenderThreads(renderWorker);
say({ kind: 'ready' });
