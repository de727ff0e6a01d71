// Gives each record its path segment. Of slugs that a case-insensitive disk would mix up, the record with the smallest
// id, which is the oldest, keeps its name, so that hosts find it without new rules; the others get hashed names. A new
// slug moves the files of a record that was not edited only where that one is younger.
import { compareCodeUnits } from '../../../base/text/collation.ts';
import type { Resource } from '../../../content/paths/endpoints.ts';
import { foldSlug, hashedSegment, slugSegment } from '../../../content/paths/segments.ts';
import type { RecordKey } from '../../../publication/snapshot/snapshot.ts';
import type { Manifest, RecordEntry } from '../../manifest/manifest.ts';

export type PlacedKey = RecordKey & { readonly fold: string; readonly segment: string };

export const placeAll = (keys: readonly RecordKey[]): PlacedKey[] => {
  const folded = keys.map(({ id, slug, ms }) => ({ id, slug, ms, fold: foldOf(slug) }));
  const segmentOf = chooseSegments(folded);
  // Spelled out: a copied object takes five times the memory, and there is one for each record.
  return folded.map((key) => {
    const { id, slug, ms, fold } = key;
    return { id, slug, ms, fold, segment: segmentOf(key) };
  });
};

/** Mostly the slug itself, which then is kept once. */
const foldOf = (slug: string): string => {
  const fold = foldSlug(slug);
  return fold === slug ? slug : fold;
};

type Folded = { readonly id: string; readonly slug: string; readonly fold: string };

/** The segment of each of these records, given that no others have their folds. */
const chooseSegments = (records: readonly Folded[]): ((record: Folded) => string) => {
  const oldest = new Map<string, Folded>();
  const shared = new Set<string>();
  for (const record of records) {
    const { fold } = record;
    const other = oldest.get(fold);
    if (other !== undefined) shared.add(fold);
    if (other === undefined || isKeptBefore(record, other)) oldest.set(fold, record);
  }
  const segmentOf = ({ id, slug, fold }: Folded): string =>
    slugSegment(slug, { shared: shared.has(fold) && oldest.get(fold)?.id !== id });
  const colliding = findCaseCollisions(
    records.filter(({ fold }) => shared.has(fold)),
    segmentOf,
  );
  return (record) =>
    colliding.has(record.id) ? hashedSegment(`${record.slug} ${record.id}`) : segmentOf(record);
};

/** Ids of records whose segment an older one has: other bytes may be the same text. */
const findCaseCollisions = (
  records: readonly Folded[],
  segmentOf: (record: Folded) => string,
): ReadonlySet<string> => {
  const taken = new Set<string>();
  const colliding = new Set<string>();
  for (const record of [...records].sort((a, b) => compareCodeUnits(a.id, b.id))) {
    const segment = segmentOf(record);
    if (taken.has(segment)) colliding.add(record.id);
    taken.add(segment);
  }
  return colliding;
};

/** A record whose slug cannot be a name has none to keep. */
const isKeptBefore = (record: Folded, other: Folded): boolean => {
  const [own, others] = [record, other].map(({ slug }) => isHashed(slugSegment(slug, ALONE)));
  return own === others ? record.id < other.id : others === true;
};

const ALONE = { shared: false } as const;

/** No plain name begins so. */
const isHashed = (segment: string): boolean => segment.startsWith('~');

type PlacedSome = {
  readonly placed: PlacedKey[];
  /** Records that were not touched but whose segment changes. */
  readonly moved: string[];
};

/** Segments of the touched records, given those that stay where they are. */
export const placeSome = (
  { manifest, resource }: { readonly manifest: Manifest; readonly resource: Resource },
  keys: readonly RecordKey[],
  touched: ReadonlyMap<string, RecordEntry | null>,
): PlacedSome => {
  const folded = keys.map((key) => ({ ...key, fold: foldSlug(key.slug) }));
  const folds = new Set(folded.map(({ fold }) => fold));
  for (const entry of touched.values()) if (entry !== null) folds.add(entry.fold);
  const staying = manifest.sameFold(resource, [...folds]).filter((entry) => !touched.has(entry.id));
  const segmentOf = chooseSegments([...folded, ...staying]);
  return {
    placed: folded.map((key) => ({ ...key, segment: segmentOf(key) })),
    moved: staying.filter((entry) => segmentOf(entry) !== entry.segment).map(({ id }) => id),
  };
};
