// What every step of one build works with.
import type { Stopwatch } from '../../base/threads/stopwatch.ts';
import type { Encoding } from '../../content/paths/sidecars.ts';
import type { RowProblem } from '../../publication/documents/row-problem.ts';
import type { Snapshot } from '../../publication/snapshot/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { BlobFiles } from '../output/session/blob-files.ts';
import type { Session } from '../output/session/session.ts';
import type { RenderPool } from './render/render-pool.ts';
import type { TreePacker } from './tree/tree-packer.ts';

export type PassContext = {
  readonly snapshot: Snapshot;
  readonly manifest: Manifest;
  readonly session: Session;
  readonly pool: RenderPool;
  /** The content folder. */
  readonly root: string;
  /** Each document has a sidecar of each. */
  readonly encodings: readonly Encoding[];
  /** The manifest says nothing of what stands: everything is compared, or written. */
  readonly isFull: boolean;
  /** The packed tree, as the passes make it. */
  readonly tree: { readonly packer: TreePacker; readonly files: BlobFiles };
  /** Ids of records that strangers may not read any more as they could: nothing that holds them may stay. */
  readonly takenBack: Set<string>;
  /** Rows that cannot be rendered; the build throws them when there are any. */
  readonly problems: RowProblem[];
  readonly warnings: string[];
  /** Times what is done for the packed tree. */
  readonly treeWatch: Stopwatch;
  /** Called with the number of records that were rendered since the last call. */
  readonly onRendered: (count: number) => void;
};
