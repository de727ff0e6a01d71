// Writes the lists of one resource: walks the new order once, renders what is touched a few chunks ahead,
// and copies the rest from the earlier lists. What was rendered before makes a script for other threads.
import { join } from 'node:path';
import { LIST_WARNING_BYTES } from '../base/limits.ts';
import type { WrittenFile } from '../emit/list-file.ts';
import type { ListJob } from '../emit/list-job.ts';
import { type ListThreads, openListThreads } from '../emit/list-threads.ts';
import { takeIfLarge } from '../emit/read-again.ts';
import type { ListVariant } from '../paths/endpoints.ts';
import { listFile } from '../paths/files.ts';
import type { OrderEntry } from '../store/manifest.ts';
import { type ListPage, ListPages, type ListSink } from './list-pages.ts';
import { OldList } from './old-list.ts';
import { type PassContext, takeTurn } from './pass-context.ts';
import {
  putEntries,
  type RenderedChunk,
  type RenderedRecords,
  render,
  type Work,
} from './pass-work.ts';
import { merge } from './record-order.ts';
import { bytesOf } from './rendered-batch.ts';
import type { PlacedKey } from './segments.ts';

/** Few enough to keep memory small, and the event loop free, while they are rendered. */
const CHUNK_RECORDS = 32;

type ListsInput = {
  readonly variants: readonly ListVariant[];
  /** The touched records, rendered; null when they are to be rendered on the way. */
  readonly kept: RenderedRecords | null;
};

export const writeLists = async (
  context: PassContext,
  work: Work,
  { variants, kept }: ListsInput,
): Promise<void> => {
  if (kept === null) await renderIntoLists(context, work, variants);
  else await context.listWatch.measureAsync(() => spliceLists(context, work, { variants, kept }));
};

/** A longer run would keep the event loop waiting. */
const RUN_BYTES_MAX = 2 * 1024 * 1024;

const renderIntoLists = async (
  context: PassContext,
  work: Work,
  variants: readonly ListVariant[],
): Promise<void> => {
  const { listWatch, session, pool } = context;
  const { order, lists } = listWatch.measure(() =>
    openLists<WrittenFile>(context, work, {
      variants,
      open: () => session.openList(),
      runBytesMax: RUN_BYTES_MAX,
    }),
  );
  const renderChunk = (chunk: readonly Listed[]): Promise<RenderedChunk> =>
    render(context, work, chunk.filter(isFresh));
  try {
    for await (const { chunk, result } of inOrder(order, pool.width, renderChunk)) {
      listWatch.measure(() => {
        for (const list of lists)
          for (const entry of chunk) appendEntry(list, entry, result.records);
      });
      putEntries(context, work, result.records);
      result.release();
      await takeTurn();
    }
    listWatch.measure(() => {
      for (const { pages, variant } of lists) putPages(context, work, variant, pages.finish());
    });
  } finally {
    closeAll(lists);
  }
};

/** Entries of scripts that are made before the event loop has a turn; meanwhile threads wait for the next one. */
const SCRIPTED_MAX = 50_000;

type SpliceInput = {
  readonly variants: ListsInput['variants'];
  readonly kept: RenderedRecords;
};

const spliceLists = async (
  context: PassContext,
  work: Work,
  { variants, kept }: SpliceInput,
): Promise<void> => {
  const { manifest } = context;
  const before = new Map(
    variants.map(({ name }) => [name, manifest.file(listFile(work.resource, name))?.size ?? 0]),
  );
  const bytes = [...before.values()].reduce((sum, size) => sum + size, 0);
  const fresh = [...kept.values()].reduce((sum, rendered) => sum + bytesOf(rendered), 0);
  const expected = { bytes: bytes + fresh, files: variants.length };
  const threads = openListThreads(expected, context.listThreads);
  const sizeBefore = ({ name }: ListVariant): number => before.get(name) ?? 0;
  try {
    await spliceOn(threads, context, work, { variants, kept, sizeBefore });
  } finally {
    await threads.close();
  }
};

const spliceOn = async (
  threads: ListThreads,
  context: PassContext,
  work: Work,
  { variants, kept, sizeBefore }: SpliceInput & { sizeBefore: (variant: ListVariant) => number },
): Promise<void> => {
  const { order, lists } = openLists<ListJob>(context, work, {
    variants,
    open: () => context.session.openScript(),
    runBytesMax: Number.POSITIVE_INFINITY,
  });
  const writing = new Map<ListVariant, Promise<ListPage<WrittenFile>[]>>();
  let scripted = 0;
  // The largest first, or one thread would end long after the others.
  for (const list of [...lists].sort((a, b) => sizeBefore(b.variant) - sizeBefore(a.variant))) {
    for (const entry of order) appendEntry(list, entry, kept);
    const written = writePages(threads, list);
    // It is heard of below, when all have begun.
    written.catch(() => undefined);
    writing.set(list.variant, written);
    scripted += order.length;
    if (scripted < SCRIPTED_MAX) continue;
    scripted = 0;
    await takeTurn();
  }
  await Promise.all(writing.values());
  for (const variant of variants) {
    putPages(context, work, variant, (await writing.get(variant)) ?? []);
  }
};

const writePages = (
  threads: ListThreads,
  { pages }: OpenedList<ListJob>,
): Promise<ListPage<WrittenFile>[]> =>
  Promise.all(
    pages.finish().map(async ({ name, file }) => ({ name, file: await threads.write(file) })),
  );

type OpenedLists<File> = {
  readonly order: readonly Listed[];
  readonly lists: readonly OpenedList<File>[];
};

type OpenInput<File> = {
  readonly variants: readonly ListVariant[];
  readonly open: () => ListSink<File>;
  readonly runBytesMax: number;
};

const openLists = <File>(
  context: PassContext,
  work: Work,
  { variants, open, runBytesMax }: OpenInput<File>,
): OpenedLists<File> => {
  const { root, limits } = context;
  const { resource } = work;
  const oldOrder = work.oldOrder();
  const untouched = oldOrder.filter(({ id }) => !work.isTouched(id));
  const order = merge<Listed>(resource, untouched, work.keys);
  context.counts.set(resource, order.length);
  const limit = limits[resource];
  const publicTotal = order.filter(({ isPublic }) => isPublic).length;
  const lists: OpenedList<File>[] = [];
  try {
    for (const variant of variants) {
      const total = variant.publicOnly ? publicTotal : order.length;
      lists.push({
        variant,
        pages: new ListPages({ open, runBytesMax, resource, variant, limit, total }),
        old: new OldList({ root, resource, variant, limit, order: oldOrder }),
      });
    }
  } catch (error) {
    closeAll(lists);
    throw error;
  }
  return { order, lists };
};

type Listed = PlacedKey | OrderEntry;

/** Works on chunks of a list, some at once, and hands the results out in the order of the list. */
async function* inOrder<T>(
  order: readonly Listed[],
  ahead: number,
  work: (chunk: readonly Listed[]) => Promise<T>,
): AsyncGenerator<{ readonly chunk: readonly Listed[]; readonly result: T }> {
  const running: { readonly chunk: readonly Listed[]; readonly result: Promise<T> }[] = [];
  let at = 0;
  while (at < order.length || running.length > 0) {
    while (running.length < ahead && at < order.length) {
      const chunk = order.slice(at, at + CHUNK_RECORDS);
      const result = work(chunk);
      // A later chunk may fail while an earlier one is waited for; it is heard of in its turn.
      result.catch(() => undefined);
      running.push({ chunk, result });
      at += CHUNK_RECORDS;
    }
    const next = running.shift();
    if (next !== undefined) yield { chunk: next.chunk, result: await next.result };
  }
}

const isFresh = (entry: Listed): entry is PlacedKey => 'segment' in entry;

type OpenedList<File> = {
  readonly variant: ListVariant;
  readonly pages: ListPages<File>;
  readonly old: OldList;
};

const closeAll = <File>(lists: readonly OpenedList<File>[]): void => {
  for (const { pages } of lists) pages.close();
};

const appendEntry = <File>(
  { variant, pages, old }: OpenedList<File>,
  entry: Listed,
  rendered: RenderedRecords,
): void => {
  if (variant.publicOnly && !entry.isPublic) return;
  if (!isFresh(entry)) {
    pages.copy(old.find(entry.id));
    return;
  }
  // A record without fragments is among the problems that fail the build.
  const found = rendered.get(entry.id);
  const end = found?.ends[variant.record];
  if (found !== undefined && end !== undefined) pages.append(found.shared, end);
};

const putPages = (
  context: PassContext,
  { resource }: Work,
  { name }: ListVariant,
  pages: readonly ListPage<WrittenFile>[],
): void => {
  for (const page of pages) putPage(context, page);
  removePagesAfter(context, (page) => listFile(resource, name, page), pages.length);
};

const removePagesAfter = (
  { session, manifest }: PassContext,
  nameOf: (page: number) => string,
  last: number,
): void => {
  for (let page = last + 1; manifest.file(nameOf(page)) !== undefined; page += 1) {
    session.remove(nameOf(page));
    manifest.removeFile(nameOf(page));
  }
};

const putPage = (
  { session, manifest, root, isFull, warnings, largeLists }: PassContext,
  { name, file }: ListPage<WrittenFile>,
): void => {
  if (file.size > LIST_WARNING_BYTES) {
    warnings.push(
      `${name} has ${Math.round(file.size / 1024 / 1024)} MiB, over what some hosts take: ` +
        'a smaller lists.max makes smaller lists.',
    );
  }
  const before = isFull ? undefined : manifest.file(name);
  if (before?.sha256.equals(file.sha256) === true) {
    session.dropList(file);
    return;
  }
  const { stamp, isSame } = session.putList(name, file);
  if (!isSame) takeIfLarge(largeLists, { path: join(root, name), size: file.size });
  manifest.putFile({ path: name, size: file.size, sha256: file.sha256, stamp });
};
