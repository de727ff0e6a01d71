// Every page of the publication as its template takes it. Views hold plain values alone: two that are equal give equal
// pages, so that a digest tells which pages an edit touches.

import { createSiteAddresses, type SiteAddress, type SiteAddresses } from './site-address.ts';
import { createHeadWriter, type Head, publicTags, shortened } from './site-head.ts';
import type { SiteAuthor, SitePost, SiteRecords, SiteTag } from './site-records.ts';

/** Posts of one page of a list. */
const LISTED_POSTS = 24;

export type Link = { readonly label: string; readonly href: string };

export type Card = {
  readonly title: string;
  readonly href: string;
  readonly excerpt: string | null;
  readonly date: string;
  readonly time: string;
  readonly minutes: number;
  readonly authors: readonly string[];
  readonly tag: string | null;
  readonly image: string | null;
  readonly imageAlt: string;
  readonly featured: boolean;
  /** `members`, `paid` or `tiers`: strangers read a part at most. */
  readonly gate: string | null;
};

export type PostView = SiteAddress & {
  readonly kind: 'post' | 'page';
  readonly head: Head;
  readonly record: SitePost;
  readonly date: string;
  readonly image: string | null;
  readonly tags: readonly Link[];
  readonly authors: readonly (Link & {
    readonly image: string | null;
    readonly bio: string | null;
  })[];
  readonly gate: string | null;
  readonly newer: Link | null;
  readonly older: Link | null;
};

export type ListView = SiteAddress & {
  readonly kind: 'home' | 'tag' | 'author';
  readonly head: Head;
  readonly name: string;
  readonly description: string | null;
  readonly image: string | null;
  /** Of a tag or an author. */
  readonly links: readonly Link[];
  readonly codeHead: string | null;
  readonly codeFoot: string | null;
  readonly posts: number;
  readonly cards: readonly Card[];
  readonly page: number;
  readonly pages: number;
  readonly newer: string | null;
  readonly older: string | null;
};

export type SiteViews = {
  readonly posts: readonly PostView[];
  readonly lists: readonly ListView[];
  /** Of records that have no page: nothing can stand at their url, or another record's page stands there. */
  readonly warnings: readonly string[];
};

export const createSiteViews = (records: SiteRecords): SiteViews => {
  const addresses = createSiteAddresses(records.settings.url);
  const taken = new Set<string>();
  const warnings: string[] = [];
  /** The first record at an address has its page. */
  const claim = (url: string): SiteAddress | null => {
    const address = addresses.find(url);
    const name = address?.file.normalize('NFC').toLowerCase();
    if (address === null || name === undefined || taken.has(name)) {
      warnings.push(
        `There can be no page at ${url}, which belongs to something else. Give the record another slug.`,
      );
      return null;
    }
    taken.add(name);
    return address;
  };
  const shape: Shape = { records, addresses, claim, formatDate: dateFormatOf(records) };
  const lists = listViews(shape);
  return { posts: postViews(shape), lists, warnings };
};

type Shape = {
  readonly records: SiteRecords;
  readonly addresses: SiteAddresses;
  readonly claim: (url: string) => SiteAddress | null;
  readonly formatDate: (time: string) => string;
};

const dateFormatOf = ({ settings }: SiteRecords): ((time: string) => string) => {
  const options = { dateStyle: 'long', timeZone: settings.timezone } as const;
  const format = formatIn(settings.lang, options) ?? formatIn('en', { dateStyle: 'long' });
  return (time) => format?.format(new Date(time)) ?? time.slice(0, 'yyyy-mm-dd'.length);
};

/** Undefined for a language or zone that there is not. */
const formatIn = (
  lang: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat(lang, options);
  } catch {
    return undefined;
  }
};

const postViews = ({ records, addresses, claim, formatDate }: Shape): PostView[] => {
  const heads = createHeadWriter(records.settings, addresses);
  const placed = (kind: PostView['kind'], some: readonly SitePost[]) =>
    some.flatMap((record) => {
      const address = claim(record.url);
      return address === null ? [] : [{ kind, record, address }];
    });
  const posts = placed('post', records.posts);
  const linkOf = (at: number): Link | null => {
    const found = posts[at];
    return found === undefined ? null : { label: found.record.title, href: found.address.href };
  };
  return [...posts, ...placed('page', records.pages)].map(
    ({ kind, record, address }, at): PostView => ({
      ...address,
      kind,
      record,
      head: heads.post(record, addresses.absolute(address.href)),
      date: formatDate(record.published_at),
      image: addresses.link(record.feature_image),
      tags: publicTags(record).flatMap(({ name, url }) => {
        const tag = addresses.find(url);
        return tag === null ? [] : [{ label: name, href: tag.href }];
      }),
      authors: record.authors.flatMap(({ name, url, profile_image, bio }) => {
        const author = addresses.find(url);
        const image = addresses.link(profile_image);
        return author === null ? [] : [{ label: name, href: author.href, image, bio }];
      }),
      gate: gateOf(record),
      newer: kind === 'post' ? linkOf(at - 1) : null,
      older: kind === 'post' ? linkOf(at + 1) : null,
    }),
  );
};

const gateOf = ({ access, visibility }: SitePost): string | null => (access ? null : visibility);

const EXCERPT_UNITS_MAX = 220;

const listViews = (shape: Shape): ListView[] => {
  const { records, addresses, formatDate } = shape;
  const heads = createHeadWriter(records.settings, addresses);
  const cards = records.posts.flatMap((post) => {
    const address = addresses.find(post.url);
    return address === null
      ? []
      : [{ post, card: cardOf(post, address, { addresses, formatDate }) }];
  });
  const paged = pagerOf(shape);
  const { settings } = records;
  const all = cards.map(({ card }) => card);
  const home = paged(`${addresses.absolute(addresses.root)}/`, all, (url, page) => ({
    kind: 'home',
    head: heads.home(url, page),
    name: settings.title,
    description: settings.description,
    image: addresses.link(settings.cover_image),
    links: [],
    codeHead: null,
    codeFoot: null,
  }));
  const byTag = groupCards(cards, ({ tags }) => tags);
  const byAuthor = groupCards(cards, ({ authors }) => authors);
  const tags = records.tags
    .filter(({ visibility }) => visibility === 'public')
    .flatMap((tag) => {
      const of = (url: string, page: number) => tagFacts(tag, heads.tag(tag, url, page), addresses);
      return paged(tag.url, byTag.get(tag.id) ?? [], of);
    });
  const authors = records.authors.flatMap((author) => {
    const of = (url: string, page: number) =>
      authorFacts(author, heads.author(author, url, page), addresses);
    return paged(author.url, byAuthor.get(author.id) ?? [], of);
  });
  return [...home, ...tags, ...authors];
};

type ListFacts = Omit<
  ListView,
  'file' | 'href' | 'posts' | 'cards' | 'page' | 'pages' | 'newer' | 'older'
>;

const tagFacts = (tag: SiteTag, head: Head, { link }: SiteAddresses): ListFacts => ({
  kind: 'tag',
  head,
  name: tag.name,
  description: tag.description,
  image: link(tag.feature_image),
  links: [],
  codeHead: tag.codeinjection_head,
  codeFoot: tag.codeinjection_foot,
});

const authorFacts = (author: SiteAuthor, head: Head, { link }: SiteAddresses): ListFacts => {
  const website = link(author.website);
  const links: Link[] = website?.startsWith('http') ? [{ label: 'Website', href: website }] : [];
  return {
    kind: 'author',
    head,
    name: author.name,
    description: author.bio,
    image: link(author.profile_image),
    links,
    codeHead: null,
    codeFoot: null,
  };
};

type CardContext = Pick<Shape, 'addresses' | 'formatDate'>;

const cardOf = (post: SitePost, { href }: SiteAddress, context: CardContext): Card => ({
  title: post.title,
  href,
  excerpt: shortened(post.custom_excerpt ?? post.excerpt, EXCERPT_UNITS_MAX),
  date: context.formatDate(post.published_at),
  time: post.published_at,
  minutes: post.reading_time,
  authors: post.authors.map(({ name }) => name),
  tag: post.primary_tag?.name ?? null,
  image: context.addresses.link(post.feature_image),
  imageAlt: post.feature_image_alt ?? '',
  featured: post.featured,
  gate: gateOf(post),
});

type Carded = { readonly post: SitePost; readonly card: Card };

const groupCards = (
  cards: readonly Carded[],
  of: (post: SitePost) => readonly { readonly id: string }[],
): ReadonlyMap<string, readonly Card[]> => {
  const groups = new Map<string, Card[]>();
  for (const { post, card } of cards) {
    for (const { id } of of(post)) {
      const group = groups.get(id);
      if (group === undefined) groups.set(id, [card]);
      else group.push(card);
    }
  }
  return groups;
};

/** Cuts a list into pages, further ones at `page/2/` and so on. */
const pagerOf =
  ({ addresses, claim }: Shape) =>
  (
    url: string,
    cards: readonly Card[],
    facts: (url: string, page: number) => ListFacts,
  ): ListView[] => {
    const pages = Math.max(1, Math.ceil(cards.length / LISTED_POSTS));
    const urlOf = (page: number): string => (page === 1 ? url : `${url}page/${page}/`);
    const hrefOf = (page: number): string | null =>
      page < 1 || page > pages ? null : (addresses.find(urlOf(page))?.href ?? null);
    return Array.from({ length: pages }, (_, at) => at + 1).flatMap((page) => {
      const address = claim(urlOf(page));
      if (address === null) return [];
      const first = (page - 1) * LISTED_POSTS;
      return [
        {
          ...address,
          ...facts(addresses.absolute(address.href), page),
          posts: cards.length,
          cards: cards.slice(first, first + LISTED_POSTS),
          page,
          pages,
          newer: hrefOf(page - 1),
          older: hrefOf(page + 1),
        },
      ];
    });
  };
