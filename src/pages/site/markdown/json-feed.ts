// The newest posts as a JSON Feed 1.1 (jsonfeed.org).
import { publicTags } from '../site-head.ts';
import type { SitePost, SiteSettings } from '../site-records.ts';

/** Its html has whole addresses. */
export type FeedPost = SitePost;

type FeedInput = {
  readonly settings: Pick<SiteSettings, 'title' | 'description' | 'lang' | 'icon'>;
  /** The whole address of the site, with its last slash. */
  readonly home: string;
  readonly newest: readonly FeedPost[];
};

export const jsonFeed = ({ settings, home, newest }: FeedInput): string => {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: settings.title,
    home_page_url: home,
    feed_url: `${home}feed.json`,
    description: settings.description || undefined,
    icon: settings.icon ?? undefined,
    language: settings.lang,
    items: newest.map(itemOf),
  };
  return `${JSON.stringify(feed, null, 1)}\n`;
};

/** What is for members is in neither html nor excerpt. */
const itemOf = (post: FeedPost): Readonly<Record<string, unknown>> => {
  const summary = post.custom_excerpt || post.excerpt || (post.access ? '' : FOR_MEMBERS);
  return {
    id: `urn:uuid:${post.uuid}`,
    url: post.url,
    title: post.title,
    ...(post.html ? { content_html: post.html } : { content_text: summary }),
    summary: summary || undefined,
    image: post.feature_image ?? undefined,
    date_published: post.published_at,
    date_modified: post.updated_at,
    authors: post.authors.map(({ name, url, profile_image }) => ({
      name,
      url,
      avatar: profile_image ?? undefined,
    })),
    tags: publicTags(post).map(({ name }) => name),
  };
};

const FOR_MEMBERS = 'This text is for members.';
