// The newest posts as a JSON Feed 1.1 (jsonfeed.org).
import { publicTags } from '../site-head.ts';
import type { SitePost, SiteSettings } from '../site-records.ts';

type FeedInput = {
  readonly settings: Pick<SiteSettings, 'title' | 'description' | 'lang'>;
  /** A path of the site, or a whole address. */
  readonly icon: string | null;
  /** The whole address of the site, with its last slash. */
  readonly home: string;
  /** Their html has whole addresses. */
  readonly newest: readonly SitePost[];
};

export const jsonFeed = ({ settings, icon, home, newest }: FeedInput): string => {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: settings.title,
    home_page_url: home,
    feed_url: `${home}feed.json`,
    description: settings.description || undefined,
    icon: webAddress(icon, home),
    language: settings.lang,
    items: newest.map(itemOf),
  };
  return `${JSON.stringify(feed, null, 1)}\n`;
};

/** What is for members is in neither html nor excerpt. */
const itemOf = (post: SitePost): Readonly<Record<string, unknown>> => {
  const summary = post.custom_excerpt || post.excerpt || (post.access ? '' : FOR_MEMBERS);
  return {
    id: `urn:uuid:${post.uuid}`,
    url: post.url,
    title: post.title,
    ...(post.html ? { content_html: post.html } : { content_text: summary || post.title }),
    summary: summary || undefined,
    image: webAddress(post.feature_image, post.url),
    date_published: post.published_at,
    date_modified: post.updated_at,
    authors: post.authors.map(({ name, url, profile_image }) => ({
      name,
      url,
      avatar: webAddress(profile_image, post.url),
    })),
    tags: publicTags(post).map(({ name }) => name),
  };
};

/** Undefined for what is no address of http, which readers would not show. */
const webAddress = (address: string | null, base: string): string | undefined => {
  const url = address !== null && URL.canParse(address, base) ? new URL(address, base) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

const FOR_MEMBERS = 'This text is for members.';
