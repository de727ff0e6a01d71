// A tag while it is edited: what the form holds, and what is sent of it.
import type { Tag } from '../../records.ts';
import { changedNames } from '../../ui/fields/draft.ts';
import { META_NAMES } from '../../ui/fields/meta-names.ts';
import { textsOf, toColumn } from '../../ui/texts.ts';

const NAMES = [
  ...META_NAMES,
  ...(['name', 'slug', 'description', 'feature_image', 'canonical_url'] as const),
  ...(['accent_color', 'codeinjection_head', 'codeinjection_foot'] as const),
];

export type TagDraft = { readonly [Name in (typeof NAMES)[number]]: string };

/** Null for a new one. */
export const draftOf = (tag: Tag | null): TagDraft => textsOf(tag ?? {}, NAMES);

/** What a save sends, `updated_at` aside. */
export const changesOf = (
  before: TagDraft,
  draft: TagDraft,
): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    changedNames(before, draft).map((name) => [name, toColumn(name, draft[name])]),
  ),
  // Without it, the tag stays internal.
  ...(before.name.startsWith('#') && !draft.name.startsWith('#') && { visibility: 'public' }),
});
