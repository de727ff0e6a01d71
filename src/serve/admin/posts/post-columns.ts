// From a post's payload to the columns that it sets. Pure but for the shape it is given; a property that
// the client did not send sets no column.
import { invalid } from '../../../base/errors.ts';
import { toStoredValue } from '../../../publication/documents/stored-columns.ts';
import type { FullPostRow, PostMetaRow } from '../../../publication/store/content/posts.ts';
import { EDITABLE, type EditableColumn } from '../../../publication/tables/record-tables.ts';
import { VISIBILITIES } from '../../contract/input/post-bulk-input.ts';
import type { PostEditInput } from '../../contract/input/post-input.ts';
import type { Site } from '../../editor/site.ts';

export type PostInput = Partial<Omit<PostEditInput, 'updated_at'>>;

export type PostColumns = Partial<
  Pick<
    FullPostRow,
    'title' | 'featured' | 'visibility' | 'show_title_and_feature_image' | EditableColumn<'posts'>
  >
>;
export type MetaColumns = Partial<Pick<PostMetaRow, 'email_only' | EditableColumn<'posts_meta'>>>;

type Edits<T extends keyof typeof EDITABLE> = Partial<Record<EditableColumn<T>, string | null>>;

/** The texts of a table that the payload sets, as they are stored. */
export const editedTexts = <T extends keyof typeof EDITABLE>(
  table: T,
  input: Readonly<Record<string, unknown>>,
  site: Site,
): Edits<T> =>
  Object.fromEntries(
    EDITABLE[table].flatMap((column) => {
      const value = input[column];
      const stored =
        typeof value === 'string' ? toStoredValue({ table, column }, value, site) : value;
      return stored === undefined ? [] : [[column, stored]];
    }),
  ) as Edits<T>;

/** Columns of posts, without slug, status, times and body. Throws VALIDATION. */
export const postColumns = (input: PostInput, site: Site): PostColumns => {
  const changes: PostColumns = editedTexts('posts', input, site);
  if (input.title !== undefined) changes.title = input.title.trim() || '(Untitled)';
  if (input.featured !== undefined) changes.featured = Number(input.featured);
  if (input.visibility !== undefined) changes.visibility = toVisibility(input.visibility);
  if (input.show_title_and_feature_image !== undefined) {
    changes.show_title_and_feature_image = Number(input.show_title_and_feature_image);
  }
  return changes;
};

export const metaColumns = (input: PostInput, site: Site): MetaColumns => {
  const changes: MetaColumns = editedTexts('posts_meta', input, site);
  if (input.email_only !== undefined) changes.email_only = Number(input.email_only);
  return changes;
};

/** What older clients send for visibility. */
const LEGACY_VISIBILITIES: Readonly<Record<string, string>> = {
  'status:-free': 'paid',
  'status:free,status:-free': 'members',
};

const toVisibility = (text: string): string => {
  const visibility = LEGACY_VISIBILITIES[text] ?? text;
  if (VISIBILITIES.some((one) => one === visibility)) return visibility;
  throw invalid(
    'visibility',
    `visibility must be one of ${VISIBILITIES.join(', ')}, got "${text}".`,
  );
};
