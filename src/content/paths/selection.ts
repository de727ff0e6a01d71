// Which files of the tree a host is given: with the names by slug or without them, and in which variants
// records are kept. The tree itself is always whole; hosts that count files get less of it.
import { type Resource, SHAPES, variantName } from './endpoints.ts';
import { findDocument } from './sidecars.ts';

/**
 * `by-id`: without names by slug. `packed`: without any list or record. Both are for hosts whose code answers what has no
 * file from the packed tree. `plain-files`: with `index.html` copies.
 */
export type Profile = 'literal' | 'by-id' | 'packed' | 'plain-files';

export type Selection = {
  readonly profile: Profile;
  /** Names of the record variants that are kept, the largest always; null: all of them. */
  readonly variants: readonly string[] | null;
};

export const EVERYTHING: Selection = { profile: 'literal', variants: null };

const RECORD = /^(posts|pages|tags|authors)\/(?:[0-9a-f]{24}|(slug)\/[^/]+)\/([a-z-]+)\.json$/;

const OF_RESOURCE = /^(?:posts|pages|tags|authors)\//;

/** `file` is relative to the content folder. What is of no resource is always selected; sidecars are as their files. */
export const isSelected = (file: string, selection: Selection): boolean => {
  const { profile, variants } = selection;
  if (profile === 'packed') return !OF_RESOURCE.test(file);
  if (profile !== 'by-id' && variants === null) return true;
  const [, resource, slug, variant = ''] = RECORD.exec(findDocument(file) ?? file) ?? [];
  if (resource === undefined) return true;
  if (slug !== undefined && profile === 'by-id') return false;
  return keptVariant(resource as Resource, variant, variants) === variant;
};

/** The variant that is sent for one of a record's: itself, or the smallest that has all of it. */
export const keptVariant = (
  resource: Resource,
  variant: string,
  kept: readonly string[] | null,
): string => {
  const { recordVariants } = SHAPES[resource];
  if (kept === null || kept.includes(variant)) return variant;
  const asked = includesOf(resource, variant);
  const larger = recordVariants
    .filter((name) => kept.includes(name) || name === recordVariants.at(-1))
    .map((name) => ({ name, includes: includesOf(resource, name) }))
    .filter(({ includes }) => asked.every((include) => includes.includes(include)))
    .sort((a, b) => a.includes.length - b.includes.length);
  return larger[0]?.name ?? variant;
};

/** The record variants that are not kept, each with the one that is sent instead. */
export const substitutesOf = (
  resource: Resource,
  kept: readonly string[] | null,
): (readonly [dropped: string, sent: string])[] =>
  SHAPES[resource].recordVariants
    .map((variant) => [variant, keptVariant(resource, variant, kept)] as const)
    .filter(([variant, sent]) => variant !== sent);

/** The values of `include` whose names are in a variant's. */
const includesOf = (resource: Resource, variant: string): string[] =>
  SHAPES[resource].includes.filter((include) =>
    `-${variant}-`.includes(`-${variantName(null, [include])}-`),
  );
