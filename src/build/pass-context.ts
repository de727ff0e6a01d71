// What every step of one build works with.
import type { Stopwatch } from '../base/stopwatch.ts';
import type { RowProblem } from '../documents/row-problem.ts';
import type { ListThreadsOptions } from '../emit/list-threads.ts';
import type { LargeList } from '../emit/read-again.ts';
import type { Session } from '../emit/session.ts';
import type { Resource } from '../paths/endpoints.ts';
import type { Encoding } from '../paths/sidecars.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { RenderPool } from './render-pool.ts';

export type PassContext = {
  readonly snapshot: Snapshot;
  readonly manifest: Manifest;
  readonly session: Session;
  readonly pool: RenderPool;
  readonly listThreads: ListThreadsOptions;
  /** The content folder. */
  readonly root: string;
  readonly limits: Readonly<Partial<Record<Resource, number>>>;
  /** Each document has a sidecar of each. */
  readonly encodings: readonly Encoding[];
  /** The manifest says nothing of what stands: everything is compared, or written. */
  readonly isFull: boolean;
  /** Records of each resource whose lists were opened. */
  readonly counts: Map<Resource, number>;
  /** Rows that cannot be rendered; the build throws them when there are any. */
  readonly problems: RowProblem[];
  readonly warnings: string[];
  /** Lists that were put, whole blocks of which went past the system's cache. */
  readonly largeLists: LargeList[];
  /** Times what is done for lists alone. */
  readonly listWatch: Stopwatch;
  /** Called with the number of records that were rendered since the last call. */
  readonly onRendered: (count: number) => void;
};

/** Gives the event loop a turn between two pieces of work. */
export const takeTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
