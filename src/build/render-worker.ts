// The thread that renders: opens its snapshot when told to, then answers one task after another. The
// fragments travel as one buffer per variant, moved and not copied.
import { parentPort, workerData } from 'node:worker_threads';
import { createRenderer, type RenderSettings } from '../documents/renderer.ts';
import type { RowProblem } from '../documents/row-problem.ts';
import { createLeafWriter, type LeafWriterSpec, type StagedLeaves } from '../emit/leaf-writer.ts';
import { type Resource, SHAPES } from '../paths/endpoints.ts';
import type { RecordEntry } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { openSnapshot } from '../store/sqlite/snapshot.ts';
import { type RenderTools, renderRecords } from './render-records.ts';
import type { PlacedKey } from './segments.ts';

/** A RecordEntry on its way between threads: buffers arrive as plain bytes. */
type PackedEntry = Omit<RecordEntry, 'hashes'> & { readonly hashes: readonly Uint8Array[] };

export type WorkerRequest =
  | { readonly kind: 'open' }
  | { readonly kind: 'start'; readonly settings: RenderSettings; readonly spec: LeafWriterSpec }
  | {
      readonly kind: 'render';
      readonly resource: Resource;
      readonly keys: readonly PlacedKey[];
      readonly earlier: readonly PackedEntry[];
    };

export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'rendered';
      readonly entries: readonly PackedEntry[];
      /** One buffer for each variant, with the records' fragments one after another. */
      readonly fragments: readonly Uint8Array[];
      readonly problems: readonly RowProblem[];
      readonly leaves: StagedLeaves;
    };

const { databasePath, label } = workerData as { databasePath: string; label: string };

let snapshot: Snapshot | null = null;
let tools: RenderTools | null = null;

const answer = (message: WorkerAnswer, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

parentPort?.on('message', (request: WorkerRequest) => {
  if (request.kind === 'open') {
    snapshot = openSnapshot(databasePath);
    answer({ kind: 'ready' });
  } else if (request.kind === 'start') {
    if (snapshot === null) throw new Error('A render worker was started before it was opened.');
    const renderer = createRenderer(request.settings);
    tools = { snapshot, renderer, leaves: createLeafWriter(request.spec, label) };
    answer({ kind: 'ready' });
  } else {
    render(request);
  }
});

const render = ({ resource, keys, earlier }: Extract<WorkerRequest, { kind: 'render' }>): void => {
  if (tools === null) throw new Error('A render worker got a task before it was started.');
  const known = new Map(
    earlier.map((entry) => [
      entry.id,
      { ...entry, hashes: entry.hashes.map((hash) => Buffer.from(hash)) },
    ]),
  );
  const { rendered, problems } = renderRecords(tools, { resource, keys, earlier: known });
  const records = [...rendered.values()];
  const fragments = SHAPES[resource].recordVariants.map((_, at) => {
    const parts = records.map((record) => record.fragments[at] as Buffer);
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    // A buffer of its own, not of the shared pool, so that it can be moved.
    const whole = new Uint8Array(new ArrayBuffer(size));
    let offset = 0;
    for (const part of parts) {
      whole.set(part, offset);
      offset += part.length;
    }
    return whole;
  });
  const entries = records.map(({ entry }) => entry);
  const leaves = tools.leaves.take();
  const moved = fragments.map(({ buffer }) => buffer as ArrayBuffer);
  answer({ kind: 'rendered', entries, fragments, problems, leaves }, moved);
};
