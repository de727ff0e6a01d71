// Writes the lists of one resource: walks the new order once, renders what is touched a few chunks ahead,
// and copies the rest from the earlier lists.
import { LIST_WARNING_BYTES } from '../base/limits.ts';
import type { ListVariant, Resource } from '../paths/endpoints.ts';
import { listFile } from '../paths/files.ts';
import type { OrderEntry } from '../store/manifest.ts';
import { ListPages } from './list-pages.ts';
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
import type { PlacedKey } from './segments.ts';

const CHUNK_RECORDS = 50;

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
  const oldOrder = work.oldOrder();
  const untouched = oldOrder.filter(({ id }) => !work.isTouched(id));
  const order = merge<Listed>(work.resource, untouched, work.keys);
  const lists = variants.map((variant) => openList(context, work, { variant, order, oldOrder }));
  const renderChunk = (chunk: readonly Listed[]): Promise<RenderedChunk> =>
    render(context, work, chunk.filter(isFresh));
  const keptChunk = async (): Promise<RenderedChunk> => ({
    records: kept ?? new Map(),
    release: () => undefined,
  });
  const ahead = kept === null ? context.pool.width : 1;
  const chunks = inOrder(order, ahead, kept === null ? renderChunk : keptChunk);
  for await (const { chunk, result } of chunks) {
    for (const list of lists) for (const entry of chunk) appendEntry(list, entry, result.records);
    if (kept === null) putEntries(context, work, result.records);
    result.release();
    await takeTurn();
  }
  for (const { pages, variant } of lists) {
    const written = pages.finish();
    for (const page of written) putPage(context, page);
    removePagesAfter(context, listFileOf(work.resource, variant), written.length);
  }
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

type OpenedList = {
  readonly variant: ListVariant;
  readonly pages: ListPages;
  readonly old: OldList;
};

const openList = (
  { session, root, limits }: PassContext,
  { resource }: Work,
  input: {
    readonly variant: ListVariant;
    readonly order: readonly { readonly isPublic: boolean }[];
    readonly oldOrder: readonly OrderEntry[];
  },
): OpenedList => {
  const { variant, order, oldOrder } = input;
  const limit = limits[resource];
  const total = variant.publicOnly ? order.filter(({ isPublic }) => isPublic).length : order.length;
  return {
    variant,
    pages: new ListPages({ session, resource, variant, limit, total }),
    old: new OldList({ root, resource, variant, limit, order: oldOrder }),
  };
};

const appendEntry = (
  { variant, pages, old }: OpenedList,
  entry: Listed,
  rendered: RenderedRecords,
): void => {
  if (variant.publicOnly && !entry.isPublic) return;
  if (!isFresh(entry)) {
    pages.copy(old.find(entry.id));
    return;
  }
  // A record without fragments is among the problems that fail the build.
  const fragment = rendered.get(entry.id)?.fragments[variant.record];
  if (fragment !== undefined) pages.append(fragment);
};

const listFileOf =
  (resource: Resource, { name }: ListVariant) =>
  (page: number): string =>
    listFile(resource, name, page);

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
  { session, manifest, isFull, warnings }: PassContext,
  { name, file }: ReturnType<ListPages['finish']>[number],
): void => {
  if (file.size > LIST_WARNING_BYTES) {
    const resource = name.split('/')[0];
    warnings.push(
      `${name} has ${Math.round(file.size / 1024 / 1024)} MiB, over what some hosts take: ` +
        `the setting lists.${resource}.limit makes pages.`,
    );
  }
  const before = isFull ? undefined : manifest.file(name);
  if (before?.sha256.equals(file.sha256) === true) {
    session.dropList(file);
    return;
  }
  const { stamp } = session.putList(name, file);
  manifest.putFile({ path: name, size: file.size, sha256: file.sha256, stamp });
};
