// From a post's payload to the columns that it sets. Pure but for the shape it is given; a property that
// the client did not send sets no column.

import { PrepressError } from '../../../base/errors.ts';
import { toStoredValue } from '../../../publication/documents/stored-columns.ts';
import type { FullPostRow, PostMetaRow } from '../../../publication/store/content/posts.ts';
import {
  META_TEXT_NAMES,
  type MetaTextName,
  POST_TEXT_NAMES,
  type PostEditInput,
  type PostTextName,
} from '../../contract/input/post-input.ts';
import type { Site } from '../../editor/site.ts';

export type PostInput = Partial<Omit<PostEditInput, 'updated_at'>>;

export type PostColumns = Partial<
  Pick<
    FullPostRow,
    'title' | 'featured' | 'visibility' | 'show_title_and_feature_image' | PostTextName
  >
>;
export type MetaColumns = Partial<Pick<PostMetaRow, 'email_only' | MetaTextName>>;

type Place = Parameters<typeof toStoredValue>[0];

const toStored = (place: Place, value: string | null, site: Site): string | null =>
  value === null ? null : toStoredValue(place, value, site);

/** Columns of posts, without slug, status, times and body. Throws VALIDATION. */
export const postColumns = (input: PostInput, site: Site): PostColumns => {
  const changes: PostColumns = {};
  if (input.title !== undefined) changes.title = input.title.trim() || '(Untitled)';
  if (input.featured !== undefined) changes.featured = Number(input.featured);
  if (input.visibility !== undefined) changes.visibility = toVisibility(input.visibility);
  if (input.show_title_and_feature_image !== undefined) {
    changes.show_title_and_feature_image = Number(input.show_title_and_feature_image);
  }
  for (const name of POST_TEXT_NAMES) {
    const value = input[name];
    if (value !== undefined)
      changes[name] = toStored({ table: 'posts', column: name }, value, site);
  }
  return changes;
};

export const metaColumns = (input: PostInput, site: Site): MetaColumns => {
  const changes: MetaColumns = {};
  if (input.email_only !== undefined) changes.email_only = Number(input.email_only);
  for (const name of META_TEXT_NAMES) {
    const value = input[name];
    if (value !== undefined)
      changes[name] = toStored({ table: 'posts_meta', column: name }, value, site);
  }
  return changes;
};

const VISIBILITIES = ['public', 'members', 'paid', 'tiers'];
/** What older clients send for visibility. */
const LEGACY_VISIBILITIES: Readonly<Record<string, string>> = {
  'status:-free': 'paid',
  'status:free,status:-free': 'members',
};

const toVisibility = (text: string): string => {
  const visibility = LEGACY_VISIBILITIES[text] ?? text;
  if (VISIBILITIES.includes(visibility)) return visibility;
  throw new PrepressError('VALIDATION', `visibility must be one of ${VISIBILITIES.join(', ')}.`, {
    property: 'visibility',
  });
};
