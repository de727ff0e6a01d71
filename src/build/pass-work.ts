// What one pass over a resource has to do, and how its records are rendered.
import type { Resource } from '../paths/endpoints.ts';
import type { OrderEntry, RecordEntry } from '../store/manifest.ts';
import type { PassContext } from './pass-context.ts';
import type { Rendered } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

/** What one pass has to do. */
export type Work = {
  readonly resource: Resource;
  /** Touched records that are shown, in the order of lists. */
  readonly keys: readonly PlacedKey[];
  /** All records are touched. */
  readonly isAll: boolean;
  /** The touched records that the manifest has. */
  readonly before: readonly Pick<RecordEntry, 'id' | 'segment'>[];
  /** What the manifest has of those that are asked for, and of no others: it is asked for every few. */
  readonly earlier: (ids: readonly string[]) => ReadonlyMap<string, RecordEntry>;
  /** The order of all records before. */
  readonly oldOrder: () => OrderEntry[];
  readonly isTouched: (id: string) => boolean;
};

export type RenderedRecords = ReadonlyMap<string, Rendered>;

/** Keeps what the manifest needs to know of rendered records. */
export const putEntries = (
  { manifest }: PassContext,
  { resource }: Work,
  rendered: RenderedRecords,
): void => {
  for (const { entry } of rendered.values()) manifest.putEntry(resource, entry);
};

export type RenderedChunk = {
  readonly records: RenderedRecords;
  /** Says that the texts are read. */
  readonly release: () => void;
};

const NOTHING: RenderedChunk = { records: new Map(), release: () => undefined };

export const render = async (
  { pool, problems, onRendered }: PassContext,
  { resource, earlier }: Work,
  keys: readonly PlacedKey[],
): Promise<RenderedChunk> => {
  if (keys.length === 0) return NOTHING;
  const task = { resource, keys, earlier: earlier(keys.map(({ id }) => id)) };
  const { rendered, problems: found, release } = await pool.render(task);
  problems.push(...found);
  onRendered(keys.length);
  return { records: rendered, release };
};
