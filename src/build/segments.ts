// Gives each record its path segment. Slugs that a case-insensitive disk would mix up all move to hashed
// names, so one new slug can move the files of a record that was not edited.
import type { Resource } from '../paths/endpoints.ts';
import { foldSlug, slugSegment } from '../paths/segments.ts';
import type { Manifest, RecordEntry } from '../store/manifest.ts';
import type { RecordKey } from '../store/snapshot.ts';

export type PlacedKey = RecordKey & { readonly fold: string; readonly segment: string };

/** Segments of all records of a resource. */
export const placeAll = (keys: readonly RecordKey[]): PlacedKey[] => {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { slug } of keys) {
    const fold = foldSlug(slug);
    if (seen.has(fold)) shared.add(fold);
    seen.add(fold);
  }
  return keys.map(({ id, slug, sort, isPublic }) => {
    const fold = foldSlug(slug);
    return {
      id,
      slug,
      sort,
      isPublic,
      fold,
      segment: slugSegment(slug, { shared: shared.has(fold) }),
    };
  });
};

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
  const counts = new Map<string, number>();
  for (const { fold } of [...folded, ...staying]) counts.set(fold, (counts.get(fold) ?? 0) + 1);
  const segmentOf = ({ slug, fold }: { readonly slug: string; readonly fold: string }): string =>
    slugSegment(slug, { shared: (counts.get(fold) ?? 0) > 1 });
  return {
    placed: folded.map((key) => ({ ...key, segment: segmentOf(key) })),
    moved: staying.filter((entry) => segmentOf(entry) !== entry.segment).map(({ id }) => id),
  };
};
