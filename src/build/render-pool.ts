// Who renders: the build's own thread for little work, worker threads for much. Either way a task answers
// with entries and fragments, and the files of its records are written when it does.

import { createRenderer, type RenderSettings } from '../documents/renderer.ts';
import type { LeafWriterSpec, StagedLeaves } from '../emit/leaf-writer.ts';
import { createLeafWriter } from '../emit/leaf-writer.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { type RenderResult, type RenderTask, renderRecords } from './render-records.ts';

export type RenderPool = {
  /** Tasks that may run at once. */
  readonly width: number;
  readonly render: (task: RenderTask) => Promise<RenderResult>;
};

export type PoolInput = {
  readonly settings: RenderSettings;
  readonly spec: LeafWriterSpec;
  /** Takes over what was written. */
  readonly onLeaves: (leaves: StagedLeaves) => void;
};

/** Renders in this thread, from the build's own snapshot. */
export const createLocalPool = (snapshot: Snapshot, input: PoolInput): RenderPool => {
  const leaves = createLeafWriter(input.spec, 'm');
  const renderer = createRenderer(input.settings);
  return {
    width: 1,
    render: async (task) => {
      const result = renderRecords({ snapshot, renderer, leaves }, task);
      input.onLeaves(leaves.take());
      return result;
    },
  };
};
