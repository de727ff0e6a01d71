// Records as pages for readers take them, with what a test does not care for left empty.
import type {
  EmbeddedAuthor,
  EmbeddedTag,
  SiteAuthor,
  SitePost,
  SiteRecords,
  SiteSettings,
  SiteTag,
} from '../../src/pages/site/site-records.ts';
import { SITE } from './site-pages.ts';

export const siteSettings = (given: Partial<SiteSettings> = {}): SiteSettings =>
  ({
    title: 'Neap & Spring',
    description: 'About tides',
    url: `${SITE}/`,
    lang: 'en',
    timezone: 'Etc/UTC',
    navigation: [],
    secondary_navigation: [],
    ...given,
  }) as unknown as SiteSettings;

export const siteTag = (slug: string, given: Partial<SiteTag> = {}): SiteTag =>
  ({
    id: `tag-${slug}`,
    slug,
    name: slug,
    url: `${SITE}/tag/${slug}/`,
    visibility: 'public',
    ...given,
  }) as unknown as SiteTag;

export const siteAuthor = (slug: string, given: Partial<SiteAuthor> = {}): SiteAuthor =>
  ({
    id: `author-${slug}`,
    slug,
    name: slug,
    url: `${SITE}/author/${slug}/`,
    ...given,
  }) as unknown as SiteAuthor;

type Linked = { readonly tags?: readonly SiteTag[]; readonly authors?: readonly SiteAuthor[] };

export const sitePost = (
  slug: string,
  { tags = [], authors = [], ...given }: Partial<Omit<SitePost, 'tags' | 'authors'>> & Linked = {},
): SitePost => {
  const [primary_tag = null] = tags;
  const record = {
    id: `post-${slug}`,
    uuid: `00000000-0000-4000-8000-${slug.padStart(12, '0')}`,
    slug,
    title: slug,
    html: '<p>A body.</p>',
    excerpt: 'A body.',
    url: `${SITE}/${slug}/`,
    published_at: '2026-01-02T10:00:00.000+00:00',
    updated_at: '2026-01-03T10:00:00.000+00:00',
    visibility: 'public',
    access: true,
    tags: tags as unknown as readonly EmbeddedTag[],
    authors: authors as unknown as readonly EmbeddedAuthor[],
    primary_tag,
    ...given,
  };
  return record as unknown as SitePost;
};

export const siteRecords = (given: Partial<SiteRecords> = {}): SiteRecords => ({
  posts: [],
  pages: [],
  tags: [],
  authors: [],
  settings: siteSettings(),
  ...given,
});
