// Who renders: the build's own thread for little work, worker threads for much. Either way a task answers
// with entries and fragments, and the files of its records are written when it does.
import { createRenderer, type RenderSettings } from '../../../publication/documents/renderer.ts';
import type { RowProblem } from '../../../publication/documents/row-problem.ts';
import type { Snapshot } from '../../../publication/snapshot/snapshot.ts';
import {
  createRecordFileWriter,
  type RecordFileSpec,
  type StagedRecordFiles,
} from '../../output/session/record-file-writer.ts';
import { RecordEncoder } from './record-encoder.ts';
import { type RenderTask, renderRecords } from './render-records.ts';
import { type Bytes, type Rendered, readBatch } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type PoolTask = RenderTask & { readonly keys: readonly PlacedKey[] };

export type RenderResult = {
  readonly rendered: ReadonlyMap<string, Rendered>;
  /** Rows that cannot be rendered; the build fails when there are any. */
  readonly problems: readonly RowProblem[];
  /** Says that the texts are read: their memory is used again. */
  readonly release: () => void;
};

export type RenderPool = {
  /** Tasks that may run at once. */
  readonly width: number;
  readonly render: (task: PoolTask) => Promise<RenderResult>;
};

export type PoolInput = {
  readonly settings: RenderSettings;
  readonly spec: RecordFileSpec;
  /** Takes over what was written. */
  readonly onRecordFiles: (leaves: StagedRecordFiles) => void;
};

/** Renders in this thread, from the build's own snapshot. */
export const createLocalPool = (snapshot: Snapshot, input: PoolInput): RenderPool => {
  const leaves = createRecordFileWriter(input.spec, '');
  const renderer = createRenderer(input.settings);
  const tools = { snapshot, renderer, leaves, encoder: new RecordEncoder() };
  const released: (readonly Bytes[])[] = [];
  return {
    width: 1,
    render: async (task) => {
      const batch = renderRecords(tools, task, released.pop());
      input.onRecordFiles(leaves.take());
      return {
        rendered: readBatch(batch, task.keys),
        problems: batch.problems,
        release: () => void released.push(batch.texts),
      };
    },
  };
};
