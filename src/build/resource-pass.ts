// Builds one resource: renders its touched records, places their files, and writes the lists that hold
// them. Few records are rendered before any list is opened, so that a change that alters no byte costs
// none; many are rendered while the lists are written, so that memory stays flat.
import type { RowProblem } from '../documents/row-problem.ts';
import { type ListVariant, type Resource, SHAPES } from '../paths/endpoints.ts';
import { recordFiles } from '../paths/files.ts';
import { checkKeys } from './checked-keys.ts';
import { pageNames } from './list-pages.ts';
import { type PassContext, takeTurn } from './pass-context.ts';
import { putEntries, type RenderedRecords, render, type Work } from './pass-work.ts';
import { readInParts } from './read-in-parts.ts';
import { COMPARE } from './record-order.ts';
import { bytesOf, type Rendered } from './rendered-batch.ts';
import { writeLists } from './resource-lists.ts';
import { placeAll, placeSome } from './segments.ts';

/** Up to this many records are rendered before the lists are opened, and kept in memory. */
const KEPT_RECORDS_MAX = 1_000;
/** With threads, which render while lists are filled. */
const KEPT_BESIDE_THREADS_MAX = 200;
/** When records have more, the rest is rendered on the way. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** Rendered before the event loop has a turn. */
const SLICE_RECORDS = 32;

/** What stands of a resource after a full pass: anything else on the disk is stale. */
export type Standing = {
  readonly ids: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly listNames: ReadonlySet<string>;
};

/** Writes every record and list of a resource; returns a function that tells what stands then. */
export const buildAll = async (
  context: PassContext,
  resource: Resource,
): Promise<() => Standing> => {
  const work = workOnAll(context, resource);
  await build(context, work);
  return () => standingOf(context, work);
};

const standingOf = ({ limits }: PassContext, work: Work): Standing => {
  const { listVariants } = SHAPES[work.resource];
  return {
    ids: new Set(work.keys.map(({ id }) => id)),
    segments: new Set(work.keys.map(({ segment }) => segment)),
    listNames: new Set(
      listVariants.flatMap(({ name, publicOnly }) => {
        const total = work.keys.filter(({ isPublic }) => !publicOnly || isPublic).length;
        return pageNames(work.resource, name, { total, limit: limits[work.resource] });
      }),
    ),
  };
};

/** Writes what differs from the manifest of every record and list. */
export const buildKnown = async (context: PassContext, resource: Resource): Promise<void> => {
  const { manifest } = context;
  const work: Work = {
    ...workOnAll(context, resource),
    before: manifest.segments(resource),
    earlier: (ids) => manifest.entries(resource, ids),
  };
  await build(context, work);
  removeOld(context, work);
};

/** Writes what differs of the touched records and of the lists that hold them. */
export const buildSome = async (
  context: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Promise<void> => {
  if (touchedIds.size === 0) return;
  const work = await workOnSome(context, resource, touchedIds);
  await build(context, work);
  removeOld(context, work);
};

const workOnAll = ({ snapshot, problems }: PassContext, resource: Resource): Work => ({
  resource,
  keys: placeAll(checkKeys(resource, snapshot.keys(resource), problems)).sort(COMPARE[resource]),
  isAll: true,
  before: [],
  earlier: () => new Map(),
  oldOrder: () => [],
  isTouched: () => true,
});

const workOnSome = async (
  { snapshot, manifest, problems }: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Promise<Work> => {
  const ids = new Set([...touchedIds, ...displacedKept({ snapshot, manifest }, resource)]);
  for (;;) {
    const earlier = new Map(manifest.entries(resource, [...ids]));
    const touched = new Map([...ids].map((id) => [id, earlier.get(id) ?? null] as const));
    const found: RowProblem[] = [];
    const read = await readInParts(ids, (part) => snapshot.keysOf(resource, part));
    const keys = checkKeys(resource, read, found);
    const { placed, moved } = placeSome({ manifest, resource }, keys, touched);
    if (moved.length === 0) {
      problems.push(...found);
      return {
        resource,
        keys: placed.sort(COMPARE[resource]),
        isAll: false,
        before: [...earlier.values()],
        earlier: (asked) => pick(earlier, asked),
        oldOrder: () => manifest.order(resource).sort(COMPARE[resource]),
        isTouched: (id) => ids.has(id),
      };
    }
    for (const id of moved) ids.add(id);
  }
};

/** Records that are set aside whose earlier row has another address than before: its slug was taken, or given back. */
const displacedKept = (
  { snapshot, manifest }: Pick<PassContext, 'snapshot' | 'manifest'>,
  resource: Resource,
): string[] => {
  const kept = snapshot
    .setAside()
    .filter(({ isCurrent, hiddenSeq }) => isCurrent && hiddenSeq === null);
  if (kept.length === 0) return [];
  const ids = kept.map(({ id }) => id);
  const known = manifest.entries(resource, ids);
  const keys = snapshot.keysOf(resource, ids);
  return keys.filter(({ id, slug }) => known.get(id)?.slug !== slug).map(({ id }) => id);
};

const pick = <Value>(all: ReadonlyMap<string, Value>, ids: readonly string[]): Map<string, Value> =>
  new Map(
    ids.flatMap((id): [string, Value][] => {
      const value = all.get(id);
      return value === undefined ? [] : [[id, value]];
    }),
  );

const build = async (context: PassContext, work: Work): Promise<void> => {
  const { listVariants } = SHAPES[work.resource];
  const max = context.pool.width > 1 ? KEPT_BESIDE_THREADS_MAX : KEPT_RECORDS_MAX;
  const { kept, isWhole } = await renderKept(context, work, max);
  if (!isWhole) {
    // The files of what was rendered are staged already.
    const earlier: Work['earlier'] = (ids) => {
      const staged = [...pick(kept, ids)].map(([id, { entry }]) => [id, entry] as const);
      return new Map([...work.earlier(ids), ...staged]);
    };
    await writeLists(context, { ...work, earlier }, { variants: listVariants, kept: null });
    return;
  }
  context.session.beginSync();
  const isWritten = work.isAll || hasMoved(work) ? () => true : changedVariants(work, kept);
  const variants = listVariants.filter(isWritten);
  if (variants.length > 0) await writeLists(context, work, { variants, kept });
  putEntries(context, work, kept);
};

type Kept = { readonly kept: RenderedRecords; readonly isWhole: boolean };

const renderKept = async (context: PassContext, work: Work, max: number): Promise<Kept> => {
  const kept = new Map<string, Rendered>();
  if (work.keys.length > max) return { kept, isWhole: false };
  let bytes = 0;
  for (let at = 0; at < work.keys.length; at += SLICE_RECORDS) {
    if (at > 0) await takeTurn();
    if (bytes > KEPT_BYTES_MAX) return { kept, isWhole: false };
    const { records } = await render(context, work, work.keys.slice(at, at + SLICE_RECORDS));
    for (const [id, rendered] of records) {
      kept.set(id, rendered);
      bytes += bytesOf(rendered);
    }
  }
  return { kept, isWhole: true };
};

/** Tells the lists whose fragments differ from before. */
const changedVariants = (
  work: Work,
  kept: RenderedRecords,
): ((variant: ListVariant) => boolean) => {
  const earlier = work.earlier([...kept.keys()]);
  const isSame = ({ entry }: Rendered, record: number): boolean => {
    const before = earlier.get(entry.id)?.hashes[record];
    return before !== undefined && entry.hashes[record]?.equals(before) === true;
  };
  return ({ record }) => ![...kept.values()].every((one) => isSame(one, record));
};

/** True when a record came or went. A record that changed its place also changed its bytes. */
const hasMoved = ({ keys, before }: Work): boolean => {
  const ids = new Set(before.map(({ id }) => id));
  return keys.length !== ids.size || keys.some(({ id }) => !ids.has(id));
};

/** Removes the files of records that are not shown any more, and of slugs that no record has now. */
const removeOld = ({ session, manifest }: PassContext, work: Work): void => {
  const { resource, keys } = work;
  const now = new Map(keys.map((key) => [key.id, key]));
  const segments = new Set(keys.map(({ segment }) => segment));
  for (const before of work.before) {
    const key = now.get(before.id);
    if (key?.segment === before.segment) continue;
    const names = recordFiles(resource, before.id, before.segment);
    const half = names.length / 2;
    if (key === undefined) {
      for (const name of names.slice(0, half)) session.remove(name);
      manifest.removeEntry(resource, before.id);
    }
    if (!segments.has(before.segment)) {
      for (const name of names.slice(half)) session.remove(name);
    }
  }
};
