// What the head of a page says to browsers, search engines and networks: title, description, canonical address, Open
// Graph, Twitter and JSON-LD, from the documents alone. Templates escape the texts; JSON-LD comes ready for a script.
import type { SiteAddresses } from './site-address.ts';
import type { SiteAuthor, SitePost, SiteSettings, SiteTag } from './site-records.ts';

export type Head = {
  readonly title: string;
  readonly description: string | null;
  readonly canonical: string;
  /** `property` and `content` of Open Graph. */
  readonly graph: readonly (readonly [property: string, content: string])[];
  /** `name` and `content` of Twitter. */
  readonly twitter: readonly (readonly [name: string, content: string])[];
  /** JSON in which nothing can end a script. */
  readonly jsonLd: string;
};

/** Of posts, pages, tags and the settings. */
type Described = Pick<
  SitePost,
  | 'meta_title'
  | 'meta_description'
  | 'og_title'
  | 'og_description'
  | 'og_image'
  | 'twitter_title'
  | 'twitter_description'
  | 'twitter_image'
>;

type HeadFacts = {
  readonly title: string;
  readonly description: string | null;
  readonly image: string | null;
  /** The whole address. */
  readonly url: string;
  readonly canonical: string | null;
  readonly type: 'website' | 'article' | 'profile';
  readonly own: Partial<Described>;
  readonly more?: Head['graph'];
  readonly jsonLd: Readonly<Record<string, unknown>>;
};

export type HeadWriter = {
  readonly home: (url: string, page: number) => Head;
  readonly post: (post: SitePost, url: string) => Head;
  readonly tag: (tag: SiteTag, url: string, page: number) => Head;
  readonly author: (author: SiteAuthor, url: string, page: number) => Head;
};

export const createHeadWriter = (
  settings: SiteSettings,
  { link, absolute }: SiteAddresses,
): HeadWriter => {
  const web = (text: string | null | undefined): string | null => {
    const safe = link(text ?? null);
    return safe?.startsWith('/') ? absolute(safe) : safe;
  };
  const publisher = {
    '@type': 'Organization',
    name: settings.title,
    url: settings.url,
    logo: web(settings.logo) ?? undefined,
  };
  const head = (facts: HeadFacts): Head => {
    const { own } = facts;
    const canonical = web(facts.canonical) ?? facts.url;
    const title = own.meta_title ?? facts.title;
    const description = own.meta_description ?? facts.description;
    const image = web(own.og_image ?? facts.image);
    const twitterImage = web(own.twitter_image ?? facts.image);
    return {
      title,
      description,
      canonical,
      graph: filled([
        ['og:site_name', settings.title],
        ['og:type', facts.type],
        ['og:title', own.og_title ?? title],
        ['og:description', own.og_description ?? description],
        ['og:url', canonical],
        ['og:image', image],
        ...(facts.more ?? []),
      ]),
      twitter: filled([
        ['twitter:card', twitterImage === null ? 'summary' : 'summary_large_image'],
        ['twitter:title', own.twitter_title ?? title],
        ['twitter:description', own.twitter_description ?? description],
        ['twitter:url', canonical],
        ['twitter:image', twitterImage],
        ['twitter:site', settings.twitter],
      ]),
      jsonLd: scriptJson({
        '@context': 'https://schema.org',
        name: title,
        url: facts.url,
        description: description ?? undefined,
        image: image ?? undefined,
        ...facts.jsonLd,
      }),
    };
  };
  return {
    home: (url, page) => head(homeFacts({ settings, publisher }, url, page)),
    post: (post, url) => head(postFacts({ publisher }, post, url)),
    tag: (tag, url, page) => head({ ...tagFacts({ settings, publisher }, tag, page), url }),
    author: (author, url, page) => head({ ...authorFacts({ settings }, author, page), url }),
  };
};

/** What heads of all pages share. */
type Site = {
  readonly settings: SiteSettings;
  /** Of JSON-LD. */
  readonly publisher: Readonly<Record<string, unknown>>;
};

const homeFacts = ({ settings, publisher }: Site, url: string, page: number): HeadFacts => ({
  title: numbered(settings.meta_title ?? settings.title, page),
  description: settings.meta_description ?? settings.description,
  image: settings.cover_image,
  url,
  canonical: null,
  type: 'website',
  own: page === 1 ? settings : {},
  jsonLd: { '@type': 'WebSite', publisher },
});

const postFacts = (
  { publisher }: Pick<Site, 'publisher'>,
  post: SitePost,
  url: string,
): HeadFacts => ({
  title: post.title,
  description: post.custom_excerpt ?? shortened(post.excerpt),
  image: post.feature_image,
  url,
  canonical: post.canonical_url,
  type: 'article',
  own: post,
  more: [
    ['article:published_time', post.published_at],
    ['article:modified_time', post.updated_at],
    ...publicTags(post).map(({ name }) => ['article:tag', name] as const),
  ],
  jsonLd: {
    '@type': 'Article',
    headline: post.title,
    datePublished: post.published_at,
    dateModified: post.updated_at,
    author: post.authors.map(({ name, url: page }) => ({ '@type': 'Person', name, url: page })),
    keywords: publicTags(post).map(({ name }) => name),
    isAccessibleForFree: post.access,
    mainEntityOfPage: url,
    publisher,
  },
});

const tagFacts = (
  { settings, publisher }: Site,
  tag: SiteTag,
  page: number,
): Omit<HeadFacts, 'url'> => ({
  title: numbered(`${tag.name} - ${settings.title}`, page),
  description: tag.description,
  image: tag.feature_image,
  canonical: page === 1 ? tag.canonical_url : null,
  type: 'website',
  own: page === 1 ? tag : {},
  jsonLd: { '@type': 'CollectionPage', publisher },
});

const authorFacts = (
  { settings }: Pick<Site, 'settings'>,
  author: SiteAuthor,
  page: number,
): Omit<HeadFacts, 'url'> => ({
  title: numbered(`${author.name} - ${settings.title}`, page),
  description: author.bio,
  image: author.cover_image ?? author.profile_image,
  canonical: null,
  type: 'profile',
  own: {
    meta_title: page === 1 ? author.meta_title : null,
    meta_description: author.meta_description,
  },
  jsonLd: {
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: author.name, url: author.url },
  },
});

export const publicTags = ({ tags }: SitePost): SitePost['tags'] =>
  tags.filter(({ visibility }) => visibility === 'public');

const numbered = (title: string, page: number): string =>
  page === 1 ? title : `${title} (page ${page})`;

type Pair = readonly [string, string];

const filled = (pairs: readonly (readonly [string, string | null])[]): Pair[] =>
  pairs.flatMap(([name, content]): Pair[] => (content ? [[name, content]] : []));

const DESCRIPTION_UNITS_MAX = 200;

/** Whole words of the beginning of a text. */
export const shortened = (text: string | null, unitsMax = DESCRIPTION_UNITS_MAX): string | null => {
  const words = (text ?? '').trim();
  if (words.length <= unitsMax) return words === '' ? null : words;
  const cut = words.slice(0, unitsMax);
  const end = cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut}…`;
};

/** In a script of data, `<` could begin its end tag or a comment. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
