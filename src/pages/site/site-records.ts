// Records as pages for readers take them: with their authors and tags, in either shape of the interface.
import type * as z from 'zod';
import type { authorWithCountSchema } from '../../content/contract/author.ts';
import type { postWithAuthorsAndTagsSchema } from '../../content/contract/post.ts';
import type { settingsSchema } from '../../content/contract/settings.ts';
import type { tagWithCountSchema } from '../../content/contract/tag.ts';

type OwnPost = z.infer<typeof postWithAuthorsAndTagsSchema>;
/** In Ghost's shape an excerpt may be null. */
export type SitePost = Omit<OwnPost, 'excerpt'> & { readonly excerpt: string | null };
export type SiteTag = z.infer<typeof tagWithCountSchema>;
export type SiteAuthor = z.infer<typeof authorWithCountSchema>;
export type SiteSettings = z.infer<typeof settingsSchema>;
export type EmbeddedTag = SitePost['tags'][number];
export type EmbeddedAuthor = SitePost['authors'][number];

export type SiteRecords = {
  readonly posts: readonly SitePost[];
  readonly pages: readonly SitePost[];
  readonly tags: readonly SiteTag[];
  readonly authors: readonly SiteAuthor[];
  readonly settings: SiteSettings;
};
