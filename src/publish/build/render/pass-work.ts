// What one pass over a resource has to do, and how its records are rendered: some chunks ahead, in order.
import { setImmediate as tick } from 'node:timers/promises';
import type { Resource } from '../../../content/paths/endpoints.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import type { PassContext } from '../pass-context.ts';
import type { Rendered } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

export type Work = {
  readonly resource: Resource;
  /** Touched records that are shown, the oldest first. */
  readonly keys: readonly PlacedKey[];
  /** The touched records that the manifest has. */
  readonly before: readonly Pick<RecordEntry, 'id' | 'segment'>[];
  /** What the manifest has of those that are asked for, and of no others: it is asked for every few. */
  readonly earlier: (ids: readonly string[]) => ReadonlyMap<string, RecordEntry>;
};

/** Few enough to keep memory small, and the event loop free, while they are rendered. */
export const CHUNK_RECORDS = 32;

/**
 * Renders all records of the work and writes their files; hands them out in their order. What is handed out is valid until
 * the next is asked for. A record that cannot be rendered is among the problems that fail the build.
 */
export async function* renderInOrder(
  context: PassContext,
  work: Work,
): AsyncGenerator<readonly Rendered[]> {
  const running: Promise<RenderedChunk>[] = [];
  let at = 0;
  while (at < work.keys.length || running.length > 0) {
    while (running.length < context.pool.width && at < work.keys.length) {
      const chunk = render(context, work, work.keys.slice(at, at + CHUNK_RECORDS));
      // A later chunk may fail while an earlier one is waited for; it is thrown when it is awaited.
      chunk.catch(() => undefined);
      running.push(chunk);
      at += CHUNK_RECORDS;
    }
    const next = await running.shift();
    if (next === undefined) return;
    yield next.records;
    for (const { entry } of next.records) context.manifest.putEntry(work.resource, entry);
    next.release();
    await tick();
  }
}

type RenderedChunk = {
  readonly records: readonly Rendered[];
  /** Says that the texts are read. */
  readonly release: () => void;
};

const render = async (
  { pool, problems, isFull, onRendered }: PassContext,
  { resource, earlier }: Work,
  keys: readonly PlacedKey[],
): Promise<RenderedChunk> => {
  // What the manifest says of a tree that is not known is no reason to leave a file as it is.
  const known = isFull ? new Map<string, RecordEntry>() : earlier(keys.map(({ id }) => id));
  const task = { resource, keys, earlier: known };
  const { rendered, problems: found, release } = await pool.render(task);
  problems.push(...found);
  onRendered(keys.length);
  return { records: keys.flatMap(({ id }) => rendered.get(id) ?? []), release };
};
