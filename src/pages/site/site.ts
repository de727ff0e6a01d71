// `publication.site`: the pages for readers that a run of Eleventy has to render. A page whose view and templates are as
// they were when it was placed is left out, and stays in place: so a publish renders only what it touches.

import { writeWhole } from '../../base/files/write-whole.ts';
import { trimEndOf } from '../../base/text/trim-of.ts';
import { toAbsoluteHtml } from '../../publication/documents/html/absolute-html.ts';
import type { Page } from '../../publish/output/pages/page.ts';
import { type AccentColors, accentColors } from './accent-colors.ts';
import { createSiteTexts, type MarkdownOptions, NO_TEXTS } from './markdown/site-texts.ts';
import { createSiteAddresses, type SiteAddresses } from './site-address.ts';
import { createSignupLinks, pageBody } from './site-bodies.ts';
import { publicTags } from './site-head.ts';
import { createSitePictures, type PicturesPlace, type SitePictures } from './site-pictures.ts';
import type { SitePost, SiteRecords, SiteSettings } from './site-records.ts';
import { digestOf, readState, saidOf, viewDigests } from './site-state.ts';
import {
  createSiteViews,
  type Link,
  type ListView,
  type PostView,
  type SiteViews,
} from './site-views.ts';
import { createSitemaps, newestOf, type Sitemap, type SitemapEntry } from './sitemaps.ts';

export type Site = {
  /** False while pages for readers are off; then there is nothing to render. */
  readonly isOn: boolean;
  readonly posts: readonly PostView[];
  readonly lists: readonly ListView[];
  /** One empty object: what a template without a view of its own is repeated for. */
  readonly once: readonly object[];
  /** The path of the site without its last slash. */
  readonly root: string;
  /** Its whole address, with its last slash. */
  readonly home: string;
  /** The language of the publication is written from right to left. */
  readonly isRightToLeft: boolean;
  readonly accent: AccentColors;
  readonly navigation: readonly Link[];
  readonly secondary: readonly Link[];
  readonly icon: string | null;
  readonly logo: string | null;
  /** Title, description and language, for feeds; in XML, which holds no control characters. */
  readonly feed: Pick<SiteSettings, 'title' | 'description' | 'lang'>;
  /** The newest posts, likewise. */
  readonly newest: readonly (SitePost & { readonly pubDate: string })[];
  /** Pages have Markdown beside them, and there is a JSON Feed. */
  readonly hasMarkdown: boolean;
  /** Every page that search engines should know. */
  readonly urls: readonly SitemapEntry[];
  /** The same as files. */
  readonly sitemaps: readonly Sitemap[];
  readonly updated: string;
  /** Where readers sign up; null where they cannot. */
  readonly signup: string | null;
  /** For templates that ask: sizes and sides of a picture, and the body of a post. */
  readonly srcset: SitePictures['srcset'];
  readonly sides: SitePictures['sides'];
  readonly body: (view: PostView) => string;
};

export type PlannedSite = {
  readonly site: Site;
  /** Files of pages that stand as they are. */
  readonly kept: readonly string[];
  /** What no template makes. */
  readonly texts: () => readonly Page[];
  /** What people should mend; whole once the texts are made. */
  readonly warnings: ReadonlySet<string>;
  /** Before pages are placed: what is known of those that are rendered is dropped. */
  readonly begin: () => void;
  /** After all were placed. */
  readonly end: (isPlaced: (page: string) => boolean) => void;
};

export type SiteInput = {
  readonly records: SiteRecords;
  readonly state: {
    /** Keeps what pages were made of. */
    readonly file: string;
    readonly isThere: (page: string) => boolean;
    /** All are rendered. */
    readonly isForced: boolean;
  };
  /** Changes with the templates, and with everything else beside the records. */
  readonly templates: string;
  readonly pictures: PicturesPlace;
  /** Where readers sign up. */
  readonly signupUrl: string | null;
  /** Null: there is none. */
  readonly markdown: MarkdownOptions | null;
};

export const NO_SITE: Site = {
  isOn: false,
  posts: [],
  lists: [],
  once: [],
  root: '',
  home: '',
  isRightToLeft: false,
  accent: accentColors(null),
  navigation: [],
  secondary: [],
  icon: null,
  logo: null,
  feed: { title: '', description: '', lang: '' },
  newest: [],
  hasMarkdown: false,
  urls: [],
  sitemaps: [],
  updated: '',
  signup: null,
  srcset: () => null,
  sides: () => null,
  body: () => '',
};

/** Ghost makes icons smaller when they are asked for; a file stands for the original alone. */
const RESIZED = '/content/images/size/w256h256/';

const FEED_POSTS = 20;
/** Of a feed without posts. */
const NEVER = '1970-01-01T00:00:00.000Z';

export const planSite = (input: SiteInput): PlannedSite => {
  const { records, state, templates, signupUrl } = input;
  const { settings } = records;
  const addresses = createSiteAddresses(settings.url);
  const home = `${addresses.absolute(addresses.root)}/`;
  const signup = createSignupLinks(signupUrl, home);
  const pictures = createSitePictures(input.pictures, addresses.root);
  const views = createSiteViews(records);
  const logo = addresses.link(settings.logo);
  const icon = addresses.link(settings.icon?.replace(RESIZED, '/content/images/') ?? null);
  const shared = digestOf([
    templates,
    settings,
    signupUrl,
    input.markdown !== null,
    input.pictures.widths,
    pictures.digest(logo),
  ]);
  const newest = records.posts.slice(0, FEED_POSTS).map(feedPost);
  const warnings = new Set(views.warnings);
  const warn = (sentence: string): void => void warnings.add(sentence);
  const texts =
    input.markdown === null
      ? NO_TEXTS
      : createSiteTexts(input.markdown, { views, settings, icon, home, newest, warn });
  const known = state.isForced ? new Map<string, string>() : readState(state.file, shared);
  const digests = new Map<string, string>();
  const digestIn = viewDigests(pictures);
  const isTouched = (view: ListView | PostView): boolean => {
    const digest = digestIn(view);
    digests.set(view.file, digest);
    const files = [view.file, ...texts.filesOf(view)];
    return known.get(view.file) !== digest || !files.every(state.isThere);
  };
  const posts = views.posts.filter(isTouched);
  const lists = views.lists.filter(isTouched);
  const rendered = new Set([...posts, ...lists].map(({ file }) => file));
  const save = (stood: readonly (readonly [string, string])[], others: PostView[] = []): void => {
    const pages = Object.fromEntries(stood);
    writeWhole(state.file, `${JSON.stringify({ shared, pages, said: saidOf(others) })}\n`);
  };
  const linksOf = (navigation: typeof settings.navigation): Link[] =>
    navigation.flatMap(({ label, url }) => {
      const href = signup.find(url) ?? addresses.link(url);
      return href === null || label === '' ? [] : [{ label, href }];
    });
  const urls = urlsOf(views, addresses);
  const site: Site = {
    isOn: true,
    posts,
    lists,
    once: [{}],
    root: addresses.root,
    home,
    isRightToLeft: isRightToLeft(settings.lang),
    accent: accentColors(settings.accent_color),
    navigation: linksOf(settings.navigation),
    secondary: linksOf(settings.secondary_navigation),
    icon,
    logo,
    feed: toXmlTexts({
      title: settings.title,
      description: settings.description,
      lang: settings.lang,
    }),
    newest,
    hasMarkdown: input.markdown !== null,
    urls,
    sitemaps: createSitemaps(urls, home),
    updated: newestOf(records.posts.map(({ updated_at }) => updated_at)) ?? NEVER,
    signup: signup.url,
    srcset: pictures.srcset,
    sides: pictures.sides,
    body: (view) => pageBody(view, signup),
  };
  return {
    site,
    kept: [...views.posts, ...views.lists]
      .filter(({ file }) => !rendered.has(file))
      .flatMap((view) => [view.file, ...texts.filesOf(view)]),
    texts: () => texts.list(rendered),
    warnings,
    begin: () => save([...digests].filter(([file]) => !rendered.has(file))),
    end: (isPlaced) =>
      save(
        [...digests],
        views.posts.filter(({ file }) => !isPlaced(file)),
      ),
  };
};

/** The page of one record alone, whatever stands: of other pages only the navigation is known. */
export const planPage = (
  { settings, ...input }: Pick<SiteRecords, 'settings'> & Pick<SiteInput, 'pictures' | 'signupUrl'>,
  { kind, record }: { readonly kind: PostView['kind']; readonly record: SitePost },
): Site => {
  const none = { posts: [], pages: [], tags: [], authors: [] };
  const records = { ...none, settings, [`${kind}s`]: [record] };
  const state = { file: '', isThere: () => false, isForced: true };
  const { site } = planSite({ ...input, records, state, templates: '', markdown: null });
  return { ...site, lists: [], once: [] };
};

/** Scripts of living languages that run from right to left. */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

const isRightToLeft = (lang: string): boolean => {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(lang).maximize().script ?? '');
  } catch {
    return false;
  }
};

/** A page that names another address as its own is left to that one. */
const urlsOf = ({ lists, posts }: SiteViews, { absolute }: SiteAddresses): SitemapEntry[] => {
  const entryOf = ({ href, head }: ListView | PostView, time: string | null): SitemapEntry[] => {
    const url = absolute(href);
    return placeOf(head.canonical) === placeOf(url) ? [{ url, time }] : [];
  };
  return [
    ...lists.flatMap((view) => entryOf(view, null)),
    ...posts.flatMap((view) => entryOf(view, view.record.updated_at)),
  ];
};

const placeOf = (address: string): string => {
  const { host, pathname } = new URL(address);
  return host + trimEndOf(pathname, '/');
};

const feedPost = (post: SitePost): Site['newest'][number] => {
  const shown = toXmlTexts(post);
  return {
    ...shown,
    html: shown.html === null ? null : toAbsoluteHtml(shown.html, post.url),
    tags: publicTags(shown),
    // As RFC 822 has it, with a year of four digits.
    pubDate: new Date(post.published_at).toUTCString(),
  };
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Without the characters that XML has not, in all its texts. */
const toXmlTexts = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'string' ? inner.replace(NOT_IN_XML, '') : inner,
    ),
  ) as T;
