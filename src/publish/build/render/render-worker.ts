// The thread that renders: opens its snapshot when told to, then answers one task after another. What is
// large travels as a few buffers, moved and not copied.
import { serveThread } from '../../../base/threads/serve-thread.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { createRenderer, type RenderSettings } from '../../../publication/documents/renderer.ts';
import { openSnapshot } from '../../../publication/snapshot/open-snapshot.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import {
  createRecordFileWriter,
  type RecordFileSpec,
  type StagedRecordFiles,
} from '../../output/session/record-file-writer.ts';
import { RecordEncoder } from './record-encoder.ts';
import { type PreviousRecord, type RenderTools, renderRecords } from './render-records.ts';
import type { Bytes, RenderedBatch } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type WorkerRequest =
  | { readonly kind: 'open'; readonly databasePath: string }
  | {
      readonly kind: 'start';
      readonly settings: RenderSettings;
      readonly spec: RecordFileSpec;
      /** Keeps its files apart from those of other threads. */
      readonly label: string;
    }
  | {
      readonly kind: 'render';
      readonly resource: Resource;
      readonly keys: readonly Pick<PlacedKey, 'id' | 'segment'>[];
      readonly earlier: ReadonlyMap<string, PreviousRecord>;
      /** Buffers to fill again. */
      readonly used: readonly Bytes[];
    };

/** Only a task is answered with something. */
export type WorkerAnswer = {
  readonly batch: RenderedBatch;
  readonly leaves: StagedRecordFiles;
} | null;

let snapshot: Snapshot | null = null;
let tools: RenderTools | null = null;

const render = (request: Extract<WorkerRequest, { kind: 'render' }>): WorkerAnswer => {
  if (tools === null) throw new Error('A render worker got a task before it was started.');
  const { resource, keys, earlier, used } = request;
  const batch = renderRecords(tools, { resource, keys, earlier }, used);
  return { batch, leaves: tools.leaves.take() };
};

const act = (request: WorkerRequest): WorkerAnswer => {
  if (request.kind === 'render') return render(request);
  if (request.kind === 'open') {
    snapshot = openSnapshot(request.databasePath);
    return null;
  }
  if (snapshot === null) throw new Error('A render worker was started before it was opened.');
  const { settings, spec, label } = request;
  const leaves = createRecordFileWriter(spec, label);
  tools = { snapshot, renderer: createRenderer(settings), leaves, encoder: new RecordEncoder() };
  return null;
};

serveThread(act, {
  movedOf: (answer) => {
    if (answer === null) return [];
    const { sizes, hashes, parts, packs, texts } = answer.batch;
    return [sizes, hashes, parts, packs, ...texts].map(({ buffer }) => buffer);
  },
});
