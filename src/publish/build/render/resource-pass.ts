// Builds one resource: renders its touched records, places their files, and packs them. Says what of the resource's
// lists may differ then.
import { type Resource, SHAPES } from '../../../content/paths/endpoints.ts';
import { recordFiles } from '../../../content/paths/files.ts';
import type { PackedTerm, RecordEdit } from '../../../content/tree/records.ts';
import type { RowProblem } from '../../../publication/documents/row-problem.ts';
import type { RecordEntry } from '../../manifest/manifest.ts';
import { compareRecords } from '../../packed/directories.ts';
import type { TermEdit } from '../../packed/pack-terms.ts';
import type { PassContext } from '../pass-context.ts';
import { readInParts } from '../read-in-parts.ts';
import { checkKeys } from './checked-keys.ts';
import { isGated, isShownLess } from './pack-of.ts';
import { packedPlace, packedRecord, packedTerm, passingRecords } from './packed-values.ts';
import { renderInOrder, type Work } from './pass-work.ts';
import type { Rendered } from './rendered-batch.ts';
import { placeAll, placeSome } from './segments.ts';

/** What a pass says of the lists of its resource. */
export type ListChanges = {
  /** Everything may differ. */
  readonly isAll: boolean;
  /** Records came, went, or changed their places. */
  readonly isMoved: boolean;
  /** Record variants of which some bytes differ. */
  readonly variants: ReadonlySet<number>;
  /** Records whose bytes differ, in their files or in the packed tree. */
  readonly ids: readonly string[];
};

/** What a pass has looked at: after a full one, anything else on the disk is stale. */
export type Standing = {
  readonly ids: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
};

const EVERYTHING: ListChanges = { isAll: true, isMoved: true, variants: new Set(), ids: [] };
const NOTHING: ListChanges = { isAll: false, isMoved: false, variants: new Set(), ids: [] };

export type Pass = { readonly lists: ListChanges; readonly standing: () => Standing };

const standingOf = ({ keys }: Work): Standing => ({
  ids: new Set(keys.map(({ id }) => id)),
  segments: new Set(keys.map(({ segment }) => segment)),
});

/** Writes what differs of every record, and packs all. */
export const buildAll = async (context: PassContext, resource: Resource): Promise<Pass> => {
  const { snapshot, manifest, problems } = context;
  const work: Work = {
    resource,
    keys: placeAll(checkKeys(resource, snapshot.keys(resource), problems)).sort(compareRecords),
    before: manifest.segments(resource),
    earlier: (ids) => manifest.entries(resource, ids),
  };
  await packAll(context, work);
  const { ids } = standingOf(work);
  for (const { id } of work.before) if (!ids.has(id)) context.takenBack.add(id);
  removeOld(context, work);
  return { lists: EVERYTHING, standing: () => standingOf(work) };
};

/** Writes what differs of the touched records, and edits the packed tree. */
export const buildSome = async (
  context: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Promise<Pass> => {
  const work = await workOnSome(context, resource, touchedIds);
  const lists =
    work.keys.length + work.before.length === 0 ? NOTHING : await packSome(context, work);
  removeOld(context, work);
  return { lists, standing: () => standingOf(work) };
};

const workOnSome = async (
  { snapshot, manifest, problems }: PassContext,
  resource: Resource,
  touchedIds: ReadonlySet<string>,
): Promise<Work> => {
  if (touchedIds.size === 0) return { resource, keys: [], before: [], earlier: () => new Map() };
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
        keys: placed.sort(compareRecords),
        before: [...earlier.values()],
        earlier: (asked) => pick(earlier, asked),
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

const packAll = async (context: PassContext, work: Work): Promise<void> => {
  const { packer: tree } = context.tree;
  const { resource } = work;
  if (resource === 'posts' || resource === 'pages') {
    const packer = tree.start(resource);
    const passed = passingRecords();
    for await (const records of renderInOrder(context, work)) {
      noteGated(context, work, records);
      for (const rendered of records) packer.add(passed(rendered));
    }
    packer.finish();
    return;
  }
  const terms: PackedTerm[] = [];
  for await (const records of renderInOrder(context, work)) {
    for (const rendered of records) terms.push(packedTerm(rendered));
  }
  tree.setTerms(resource, terms);
};

const isTakenBack = (entry: RecordEntry, before: RecordEntry | undefined): boolean =>
  before !== undefined && isShownLess(entry.pack, before.pack);

const noteGated = (
  { takenBack }: PassContext,
  { earlier }: Work,
  records: readonly Rendered[],
): void => {
  const gated = records.filter(({ entry }) => isGated(entry.pack));
  if (gated.length === 0) return;
  const before = earlier(gated.map(({ entry }) => entry.id));
  for (const { entry } of gated) {
    if (isTakenBack(entry, before.get(entry.id))) takenBack.add(entry.id);
  }
};

/** Edits of the tree that are kept in memory. */
const EDITS_MAX = 1_000;
const EDIT_BYTES_MAX = 32 * 1024 * 1024;

const packSome = async (context: PassContext, work: Work): Promise<ListChanges> => {
  const changes = new Changes(context, work);
  const { ids } = standingOf(work);
  for (const { id } of work.before) if (!ids.has(id)) changes.remove(id);
  for await (const records of renderInOrder(context, work)) {
    const earlier = work.earlier(records.map(({ entry }) => entry.id));
    for (const rendered of records) changes.add(rendered, earlier.get(rendered.entry.id) ?? null);
  }
  changes.apply();
  return changes.lists();
};

/** Gathers edits of the tree, and applies them before they take much memory. */
class Changes {
  readonly #context: PassContext;
  readonly #work: Work;
  readonly #variants = new Set<number>();
  readonly #ids: string[] = [];
  #isMoved = false;
  #records: RecordEdit[] = [];
  #terms: TermEdit[] = [];
  #bytes = 0;

  constructor(context: PassContext, work: Work) {
    this.#context = context;
    this.#work = work;
  }

  remove(id: string): void {
    const entry = this.#work.earlier([id]).get(id);
    this.#isMoved = true;
    this.#context.takenBack.add(id);
    this.#terms.push({ id, after: null });
    if (entry !== undefined) this.#records.push({ before: packedPlace(entry), after: null });
  }

  add(rendered: Rendered, before: RecordEntry | null): void {
    this.#note(rendered.entry, before);
    const { pack, slug } = rendered.entry;
    // The slug by which a record is found is another one than its document's while an earlier version is shown.
    if (before?.slug === slug && before.pack.equals(pack)) return;
    if (isTakenBack(rendered.entry, before ?? undefined)) {
      this.#context.takenBack.add(rendered.entry.id);
    }
    const { resource } = this.#work;
    if (resource === 'tags' || resource === 'authors') {
      this.#terms.push({ id: rendered.entry.id, after: packedTerm(rendered) });
      return;
    }
    const after = packedRecord(rendered);
    this.#records.push({ before: before && packedPlace(before), after });
    this.#bytes += after.line.length + after.card.length + after.plain.length;
    if (this.#records.length >= EDITS_MAX || this.#bytes > EDIT_BYTES_MAX) this.apply();
  }

  apply(): void {
    const { resource } = this.#work;
    const { tree, treeWatch } = this.#context;
    treeWatch.measure(() => {
      if (resource === 'tags' || resource === 'authors') {
        tree.packer.editTerms(resource, this.#terms);
      } else {
        tree.packer.edit(resource, this.#records);
      }
    });
    this.#records = [];
    this.#terms = [];
    this.#bytes = 0;
  }

  lists(): ListChanges {
    return {
      isAll: false,
      isMoved: this.#isMoved,
      variants: this.#variants,
      ids: this.#ids,
    };
  }

  #note(entry: RecordEntry, before: RecordEntry | null): void {
    if (before === null || before.ms !== entry.ms) this.#isMoved = true;
    const changed = SHAPES[this.#work.resource].recordVariants.flatMap((_name, variant) =>
      before?.hashes[variant]?.equals(entry.hashes[variant] ?? Buffer.alloc(0)) ? [] : [variant],
    );
    for (const variant of changed) this.#variants.add(variant);
    const isPackedAnew = before?.pack.equals(entry.pack) !== true;
    if (changed.length > 0 || isPackedAnew) this.#ids.push(entry.id);
  }
}

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
