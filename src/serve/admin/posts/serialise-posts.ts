// Posts and pages in the admin shape, from their rows and what belongs to them. Pure.
import {
  createAdminContext,
  type JsonObject,
  type PostRecord,
} from '../../../publication/documents/admin/document-context.ts';
import { adminPost } from '../../../publication/documents/admin/post.ts';
import type { FullPostRow } from '../../../publication/store/content/posts.ts';
import { shownLexical } from '../../editor/editor-formats.ts';

export type PostFormat = 'html' | 'plaintext' | 'lexical' | 'mobiledoc';

type Linked = Omit<PostRecord, 'post'>;

export type SerialiseTask = {
  readonly records: readonly { readonly row: FullPostRow; readonly linked: Linked }[];
  readonly shape: Parameters<typeof createAdminContext>[0];
  readonly formats: readonly PostFormat[];
};

export const serialisePosts = ({ records, shape, formats }: SerialiseTask): JsonObject[] => {
  const context = createAdminContext(shape);
  return records.map(({ row, linked }) => {
    const { lexical: _, mobiledoc, ...post } = row;
    const { html, plaintext, ...rest } = adminPost({ post, ...linked }, context);
    const bodies = {
      html,
      plaintext,
      lexical: context.site.nullableText(shownLexical(row)),
      mobiledoc: context.site.nullableText(mobiledoc),
    };
    return { ...rest, ...Object.fromEntries(formats.map((format) => [format, bodies[format]])) };
  });
};
