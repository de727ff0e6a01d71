// The thread that renders: opens its snapshot when told to, then answers one task after another. What is
// large travels as a few buffers, moved and not copied.
import { parentPort, workerData } from 'node:worker_threads';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { createRenderer, type RenderSettings } from '../../../publication/documents/renderer.ts';
import { openSnapshot } from '../../../publication/snapshot/open-snapshot.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import {
  createLeafWriter,
  type LeafWriterSpec,
  type StagedLeaves,
} from '../../output/session/leaf-writer.ts';
import { type PackedStaged, packStaged } from '../../output/session/staged-pack.ts';
import { type PackedEarlier, unpackEarlier } from './earlier-records.ts';
import { RecordEncoder } from './record-encoder.ts';
import { type RenderTools, renderRecords } from './render-records.ts';
import type { Bytes, RenderedBatch } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type WorkerRequest =
  /** Answered as soon as the thread runs. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'open'; readonly databasePath: string }
  | { readonly kind: 'start'; readonly settings: RenderSettings; readonly spec: LeafWriterSpec }
  | {
      readonly kind: 'render';
      readonly resource: Resource;
      readonly keys: readonly Pick<PlacedKey, 'id' | 'segment'>[];
      readonly earlier: PackedEarlier;
      /** Buffers to fill again. */
      readonly used: readonly Bytes[];
    };

export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rendered'; readonly batch: RenderedBatch; readonly leaves: PackedLeaves };

type PackedLeaves = Omit<StagedLeaves, 'staged'> & { readonly staged: PackedStaged };

const { label } = workerData as { label: string };

let snapshot: Snapshot | null = null;
let tools: RenderTools | null = null;

const answer = (message: WorkerAnswer, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

parentPort?.on('message', (request: WorkerRequest) => {
  if (request.kind === 'hello') {
    answer({ kind: 'ready' });
  } else if (request.kind === 'open') {
    snapshot = openSnapshot(request.databasePath);
    answer({ kind: 'ready' });
  } else if (request.kind === 'start') {
    if (snapshot === null) throw new Error('A render worker was started before it was opened.');
    const renderer = createRenderer(request.settings);
    const leaves = createLeafWriter(request.spec, label);
    tools = { snapshot, renderer, leaves, encoder: new RecordEncoder() };
    answer({ kind: 'ready' });
  } else {
    render(request);
  }
});

const render = (request: Extract<WorkerRequest, { kind: 'render' }>): void => {
  if (tools === null) throw new Error('A render worker got a task before it was started.');
  const { resource, keys, used } = request;
  const earlier = unpackEarlier(request.earlier);
  const batch = renderRecords(tools, { resource, keys, earlier }, used);
  const moved = [batch.sizes, batch.hashes, batch.parts, batch.packs, ...batch.texts].map(
    ({ buffer }) => buffer,
  );
  const { written, staged } = tools.leaves.take();
  answer({ kind: 'rendered', batch, leaves: { written, staged: packStaged(staged) } }, moved);
};
