// Builds one resource: renders its touched records, places their files, and writes the lists that hold
// them. Few records are rendered before any list is opened, so that a change that alters no byte costs
// none; many are rendered while the lists are written, so that memory stays flat.
import { LIST_WARNING_BYTES } from '../base/limits.ts';
import { type ListVariant, type Resource, SHAPES } from '../paths/endpoints.ts';
import { listFile, recordFiles } from '../paths/files.ts';
import type { OrderEntry, RecordEntry } from '../store/manifest.ts';
import { ListPages, pageNames } from './list-pages.ts';
import { OldList } from './old-list.ts';
import { type PassContext, takeTurn } from './pass-context.ts';
import { COMPARE, merge } from './record-order.ts';
import { type Rendered, renderRecords } from './render-records.ts';
import { type PlacedKey, placeAll, placeSome } from './segments.ts';

/** Up to this many records are rendered before the lists are opened, and kept in memory. */
const KEPT_RECORDS_MAX = 200;
const CHUNK_RECORDS = 200;

/** What stands of a resource after a full pass: anything else on the disk is stale. */
export type Standing = {
  readonly ids: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly listNames: ReadonlySet<string>;
};

/** Writes every record and list of a resource. */
export const buildAll = async (context: PassContext, resource: Resource): Promise<Standing> => {
  const work = workOnAll(context, resource);
  await build(context, work);
  const { listVariants } = SHAPES[resource];
  return {
    ids: new Set(work.keys.map(({ id }) => id)),
    segments: new Set(work.keys.map(({ segment }) => segment)),
    listNames: new Set(
      listVariants.flatMap(({ name, publicOnly }) => {
        const total = work.keys.filter(({ isPublic }) => !publicOnly || isPublic).length;
        return pageNames(resource, name, { total, limit: context.limits[resource] });
      }),
    ),
  };
};

/** Writes what differs of the touched records and of the lists that hold them. */
export const buildSome = async (
  context: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Promise<void> => {
  if (touchedIds.size === 0) return;
  const work = workOnSome(context, resource, touchedIds);
  await build(context, work);
  removeOld(context, work);
};

/** What one pass has to do. */
type Work = {
  readonly resource: Resource;
  /** Touched records that are shown, in the order of lists. */
  readonly keys: readonly PlacedKey[];
  /** What the manifest has of each touched record. */
  readonly earlier: ReadonlyMap<string, RecordEntry>;
  /** The order of all records before. */
  readonly oldOrder: () => OrderEntry[];
  readonly isTouched: (id: string) => boolean;
};

const workOnAll = ({ snapshot }: PassContext, resource: Resource): Work => ({
  resource,
  keys: placeAll(snapshot.keys(resource)).sort(COMPARE[resource]),
  earlier: new Map(),
  oldOrder: () => [],
  isTouched: () => true,
});

const workOnSome = (
  { snapshot, manifest }: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Work => {
  const ids = new Set(touchedIds);
  for (;;) {
    const earlier = new Map(manifest.entries(resource, [...ids]));
    const touched = new Map([...ids].map((id) => [id, earlier.get(id) ?? null] as const));
    const keys = snapshot.keysOf(resource, [...ids]);
    const { placed, moved } = placeSome({ manifest, resource }, keys, touched);
    if (moved.length === 0) {
      return {
        resource,
        keys: placed.sort(COMPARE[resource]),
        earlier,
        oldOrder: () => manifest.order(resource).sort(COMPARE[resource]),
        isTouched: (id) => ids.has(id),
      };
    }
    for (const id of moved) ids.add(id);
  }
};

const build = async (context: PassContext, work: Work): Promise<void> => {
  const { listVariants } = SHAPES[work.resource];
  if (work.keys.length > KEPT_RECORDS_MAX) {
    await writeLists(context, work, { variants: listVariants, kept: null });
    return;
  }
  const kept = render(context, work, work.keys);
  const isWritten = context.isFull || hasMoved(work) ? () => true : changedVariants(work, kept);
  const variants = listVariants.filter(isWritten);
  if (variants.length > 0) await writeLists(context, work, { variants, kept });
  putEntries(context, work, kept);
};

const putEntries = (
  { manifest }: PassContext,
  { resource }: Work,
  rendered: ReadonlyMap<string, Rendered>,
): void => {
  for (const { entry } of rendered.values()) manifest.putEntry(resource, entry);
};

const render = (
  context: PassContext,
  work: Work,
  keys: readonly PlacedKey[],
): Map<string, Rendered> =>
  renderRecords(context, {
    resource: work.resource,
    keys,
    earlier: (id) => work.earlier.get(id),
  });

/** Tells the lists whose fragments differ from before. */
const changedVariants = (
  work: Work,
  kept: ReadonlyMap<string, Rendered>,
): ((variant: ListVariant) => boolean) => {
  const isSame = ({ entry }: Rendered, record: number): boolean => {
    const before = work.earlier.get(entry.id)?.hashes[record];
    return before !== undefined && entry.hashes[record]?.equals(before) === true;
  };
  return ({ record }) => ![...kept.values()].every((one) => isSame(one, record));
};

/** True when a record came or went. A record that changed its place also changed its bytes. */
const hasMoved = ({ keys, earlier }: Work): boolean =>
  keys.length !== earlier.size || keys.some(({ id }) => !earlier.has(id));

type ListsInput = {
  readonly variants: readonly ListVariant[];
  /** The touched records, rendered; null when they are to be rendered on the way. */
  readonly kept: ReadonlyMap<string, Rendered> | null;
};

const writeLists = async (
  context: PassContext,
  work: Work,
  { variants, kept }: ListsInput,
): Promise<void> => {
  const oldOrder = work.oldOrder();
  const untouched = oldOrder.filter(({ id }) => !work.isTouched(id));
  const order = merge<PlacedKey | OrderEntry>(work.resource, untouched, work.keys);
  const lists = variants.map((variant) => openList(context, work, { variant, order, oldOrder }));
  for (let at = 0; at < order.length; at += CHUNK_RECORDS) {
    const chunk = order.slice(at, at + CHUNK_RECORDS);
    const rendered = kept ?? render(context, work, chunk.filter(isFresh));
    for (const list of lists) for (const entry of chunk) appendEntry(list, entry, rendered);
    if (kept === null) putEntries(context, work, rendered);
    await takeTurn();
  }
  for (const { pages, variant } of lists) {
    const written = pages.finish();
    for (const page of written) putPage(context, page);
    removePagesAfter(context, listFileOf(work.resource, variant), written.length);
  }
};

const isFresh = (entry: PlacedKey | OrderEntry): entry is PlacedKey => 'segment' in entry;

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
  entry: PlacedKey | OrderEntry,
  rendered: ReadonlyMap<string, Rendered>,
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

/** Removes the files of records that are not shown any more, and of slugs that no record has now. */
const removeOld = ({ session, manifest }: PassContext, work: Work): void => {
  const { resource, keys } = work;
  const now = new Map(keys.map((key) => [key.id, key]));
  const segments = new Set(keys.map(({ segment }) => segment));
  for (const before of work.earlier.values()) {
    const key = now.get(before.id);
    const names = recordFiles(resource, before.id, before.segment);
    const half = names.length / 2;
    if (key === undefined) {
      for (const name of names.slice(0, half)) session.remove(name);
      manifest.removeEntry(resource, before.id);
    }
    if (key?.segment !== before.segment && !segments.has(before.segment)) {
      for (const name of names.slice(half)) session.remove(name);
    }
  }
};
