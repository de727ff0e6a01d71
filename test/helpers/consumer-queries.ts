// Queries in the style of real consumers: site generators, themes, sitemaps, widgets for search. Each is a raw query as
// such a program sends it, so that every host is held to the spellings that clients use.

export type ConsumerQuery = {
  readonly resource: 'posts' | 'pages' | 'tags' | 'authors';
  readonly raw: string;
};

/** What the publication has that is asked. */
export type Known = {
  /** Slugs of a tag and an author that have posts. */
  readonly tag: string;
  readonly author: string;
  /** Id and slug of a post. */
  readonly id: string;
  readonly slug: string;
  /** Amid the times at which posts were published, as `2026-01-04T10:00:00.000+00:00`. */
  readonly time: string;
};

const of =
  (resource: ConsumerQuery['resource']) =>
  (raw: string): ConsumerQuery => ({ resource, raw });
const [posts, pages, tags, authors] = [of('posts'), of('pages'), of('tags'), of('authors')];

export const consumerQueries = ({ tag, author, id, slug, time }: Known): ConsumerQuery[] => {
  const quoted = encodeURIComponent(`'${time}'`);
  return [
    // Site generators that read everything at once, or page after page.
    posts('limit=all'),
    posts('limit=10000'),
    posts('limit=all&include=tags,authors&formats=html,plaintext'),
    posts('limit=all&include=tags%2Cauthors&formats=html%2Cplaintext'),
    posts('limit=100&page=1&include=tags%2Cauthors'),
    posts('limit=2&page=2'),
    posts('limit=2&page=3&include=authors'),
    posts('limit=5&page=999'),
    posts('page=999999999'),
    pages('limit=all&include=authors,tags'),
    pages('limit=all&fields=slug,url,updated_at'),
    tags('limit=all&include=count.posts'),
    tags('limit=all&include=count.posts&filter=visibility:public'),
    tags('limit=all&order=count.posts%20DESC&include=count.posts'),
    tags('filter=visibility%3Apublic&include=count.posts&limit=all&order=name%20asc'),
    authors('limit=all&include=count.posts'),
    authors('limit=5&fields=name,slug,url'),
    // Themes and widgets: a tag's page, an author's, what is featured, what stands before and after, what is related.
    posts(`filter=tag:${tag}`),
    posts(`filter=tag%3A%20${tag}&limit=15`),
    posts(`filter=tag:+${tag}&limit=15&include=authors,tags`),
    posts(`filter=tags:${tag}&limit=3&fields=title,url,published_at`),
    posts(`filter=primary_tag:${tag}&limit=6`),
    posts(`filter=tag:[${tag},none]%2Bfeatured:false&limit=3`),
    posts(`filter=author:${author}&limit=15&include=tags`),
    posts(`filter=authors.slug:${author}%2Btag:-${tag}`),
    posts('filter=featured:true&limit=3'),
    posts('filter=featured%3Atrue%2Bvisibility%3Apublic&order=published_at%20desc&limit=1'),
    posts('order=featured%20DESC,published_at%20DESC'),
    posts('order=featured+DESC%2Cpublished_at+DESC&limit=4'),
    posts('order=title%20ASC&limit=all&fields=title,slug'),
    posts('order=updated_at%20DESC&limit=1&fields=updated_at'),
    posts(`filter=published_at:%3C${quoted}&limit=1&order=published_at%20DESC`),
    posts(`filter=published_at:%3C${quoted}%2Bid:-${id}&limit=1&include=tags,authors`),
    posts(`filter=published_at:%3E${quoted}&limit=1&order=published_at%20ASC`),
    posts(`filter=id:-${id}%2Btag:${tag}&limit=3`),
    posts(`filter=slug:-${encodeURIComponent(slug)}&limit=3&fields=slug`),
    posts(`filter=id:[${id}]`),
    posts(`filter=title:~%27${encodeURIComponent('o')}%27&limit=10&fields=title,slug,url`),
    posts('filter=title:~%5E%27p%27'),
    posts('filter=visibility:[members,paid]%2Bfeature_image:-null'),
    posts('filter=status:published&limit=2'),
    // Sloppy ones.
    posts('filter='),
    posts('filter=&include=&fields=&order='),
    posts('include=authors&include=tags'),
    posts('include=authors&include=tags&limit=2&limit=5'),
    posts('include=AUTHORS,%20tags,tiers&limit=2'),
    posts('formats=html,plaintext'),
    posts('formats=plaintext&limit=2'),
    posts('formats=mobiledoc&limit=2'),
    posts('fields=id,title,html&limit=2'),
    posts('fields=title,plaintext&formats=plaintext&limit=2'),
    posts('fields=nothing&limit=2'),
    posts('limit=0&page=0&absolute_urls=true'),
    posts('key=0123456789abcdef0123456789&limit=2'),
    pages('filter=slug:[about,none]&fields=title'),
    pages('order=title%20asc&limit=1'),
    tags(`filter=slug:${tag}&include=count.posts`),
    tags('filter=visibility:internal'),
    authors(`filter=slug:-${author}`),
  ];
};

/** What no host answers but with a refusal, which is the same on all of them. */
export const REFUSED_QUERIES: readonly (ConsumerQuery & { readonly status: 400 | 422 })[] = [
  { ...posts('limit=-1'), status: 422 },
  { ...posts('page=two'), status: 422 },
  { ...posts('formats=pdf'), status: 422 },
  { ...posts('order=title;drop'), status: 422 },
  { ...posts('filter=(('), status: 400 },
  { ...posts('filter=nothing:1'), status: 400 },
  { ...tags('filter=title:x'), status: 400 },
];
