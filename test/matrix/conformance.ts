// The one list of requests that every host is held to. `every`: what all of them must answer so.
// `decoding`: what only those can that read addresses as a program does, not as a table of rules.
import {
  ARCHIVE,
  AUTHOR_ID,
  BOOK,
  COLUMN_BLOB,
  DRAWING,
  LONG_SLUG,
  NFD_SLUG,
  ODD_IMAGES,
  ODD_SLUG,
  POST_ID,
  RAW_SLUG,
  SMALL_PICTURE,
  TAG_ID,
  TEXT_BLOB,
  UNICODE_SLUG,
} from './site.ts';

export type Expected =
  /** The bytes of a file of the tree, with the headers of a document. */
  | { readonly kind: 'document'; readonly file: string }
  /** The bytes of a blob of the packed tree, to be kept for ever. */
  | { readonly kind: 'blob'; readonly file: string; readonly type: string }
  /** The bytes of a plain file. */
  | { readonly kind: 'plain'; readonly file: string; readonly type: RegExp }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'preflight' }
  /** 404 with the bytes of 404.json. */
  | { readonly kind: 'absent' }
  /** No success, and nothing from outside of the tree. */
  | { readonly kind: 'refused' }
  /** Redirected or refused, and no header made of the path. */
  | { readonly kind: 'harmless' };

export type Request = {
  readonly path: string;
  readonly column: 'every' | 'decoding';
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'DELETE';
  readonly expected: Expected;
};

type Row = readonly [path: string, file: string];

const documents = (rows: readonly Row[], column: Request['column'] = 'every'): Request[] =>
  rows.map(([path, file]) => ({
    path,
    column,
    method: 'GET',
    expected: { kind: 'document', file },
  }));

/** A path with the bytes of a text as they are, not encoded. */
const rawBytes = (text: string): string => Buffer.from(text).toString('latin1');

const slugPath = (slug: string): string => `/content/posts/slug/${encodeURIComponent(slug)}/`;

const LISTS: readonly Row[] = [
  ['/content/posts/', 'posts/index.json'],
  ['/content/pages/', 'pages/index.json'],
  ['/content/tags/', 'tags/index.json'],
  ['/content/authors/', 'authors/index.json'],
  ['/content/settings/', 'settings/index.json'],
  ['/content/search-index/posts/', 'search-index/posts/index.json'],
  ['/content/search-index/authors/?key=1', 'search-index/authors/index.json'],
  ['/content/search-index/tags/', 'search-index/tags/index.json'],
  ['/content/posts/?include=authors', 'posts/authors.json'],
  ['/content/posts/?include=tags', 'posts/tags.json'],
  ['/content/pages/?include=tags', 'pages/tags.json'],
  ['/content/posts/?include=authors,tags', 'posts/authors-tags.json'],
  ['/content/posts/?include=tags,authors', 'posts/authors-tags.json'],
  ['/content/posts/?include=tags%2Cauthors', 'posts/authors-tags.json'],
  ['/content/posts/?include=authors%2ctags', 'posts/authors-tags.json'],
  ['/content/tags/?filter=visibility:public', 'tags/public.json'],
  ['/content/tags/?filter=visibility%3Apublic', 'tags/public.json'],
  ['/content/tags/?filter=visibility%3apublic', 'tags/public.json'],
  ['/content/tags/?include=count.posts', 'tags/count-posts.json'],
  ['/content/tags/?include=count%2Eposts', 'tags/count-posts.json'],
  ['/content/tags/?filter=visibility:public&include=count.posts', 'tags/public-count-posts.json'],
  ['/content/tags/?include=count.posts&filter=visibility%3Apublic', 'tags/public-count-posts.json'],
  ['/content/tags/?filter=visibility:internal', 'tags/index.json'],
  ['/content/authors/?include=count.posts', 'authors/count-posts.json'],
];

const RECORDS: readonly Row[] = [
  [`/content/posts/${POST_ID}/`, `posts/${POST_ID}/index.json`],
  [`/content/posts/${POST_ID}/?include=tags`, `posts/${POST_ID}/tags.json`],
  [`/content/tags/${TAG_ID}/?include=count.posts`, `tags/${TAG_ID}/count-posts.json`],
  [`/content/tags/${TAG_ID}/?filter=visibility:public`, `tags/${TAG_ID}/index.json`],
  [`/content/authors/${AUTHOR_ID}/`, `authors/${AUTHOR_ID}/index.json`],
  ['/content/posts/slug/welcome/', 'posts/slug/welcome/index.json'],
  ['/content/pages/slug/about/?include=authors', 'pages/slug/about/authors.json'],
  ['/content/tags/slug/news/?include=count.posts', 'tags/slug/news/count-posts.json'],
  ['/content/tags/slug/quiet%231/', 'tags/slug/quiet#1/index.json'],
  ['/content/posts/slug/x.tags/', 'posts/slug/x.tags/index.json'],
  [slugPath(UNICODE_SLUG), `posts/slug/${UNICODE_SLUG}/index.json`],
  [slugPath(UNICODE_SLUG).toLowerCase(), `posts/slug/${UNICODE_SLUG}/index.json`],
  [
    `${slugPath(UNICODE_SLUG)}?key=1&slug=x&include=authors%2Ctags`,
    `posts/slug/${UNICODE_SLUG}/authors-tags.json`,
  ],
  ['/content/posts/slug/con/?include=tags', 'posts/slug/{con}/tags.json'],
  ['/content/posts/slug/Twin/', 'posts/slug/Twin/index.json'],
  ['/content/posts/slug/twin/', 'posts/slug/{twin}/index.json'],
  [`${slugPath(ODD_SLUG)}?include=authors`, `posts/slug/{${ODD_SLUG}}/authors.json`],
  [`${slugPath(RAW_SLUG)}?include=tags`, `posts/slug/{${RAW_SLUG}}/tags.json`],
  [`/content/posts/slug/${RAW_SLUG}/`, `posts/slug/{${RAW_SLUG}}/index.json`],
  ['/content/posts/slug/{con}/', 'posts/slug/{con}/index.json'],
  [
    `/content/pages/slug/${encodeURIComponent(NFD_SLUG)}/?include=tags`,
    `pages/slug/{${NFD_SLUG}}/tags.json`,
  ],
  [
    `/content/pages/slug/${encodeURIComponent(NFD_SLUG.normalize('NFC'))}/`,
    `pages/slug/${NFD_SLUG.normalize('NFC')}/index.json`,
  ],
  [slugPath(LONG_SLUG), `posts/slug/{${LONG_SLUG}}/index.json`],
  [
    `/content/posts/slug/${rawBytes(UNICODE_SLUG)}/?include=tags`,
    `posts/slug/${UNICODE_SLUG}/tags.json`,
  ],
  [
    `/content/posts/slug/${rawBytes(LONG_SLUG)}/?include=tags`,
    `posts/slug/{${LONG_SLUG}}/tags.json`,
  ],
];

const SPELLINGS: readonly Row[] = [
  ['/content/posts/?key=0123456789abcdef&include=authors%2Ctags', 'posts/authors-tags.json'],
  ['/content/posts/?include=tags&key=0123456789abcdef', 'posts/tags.json'],
  ['/content/posts/?limit=5&foo=bar&order=title', 'posts/index.json'],
  ['/content/posts/?include=tags&', 'posts/tags.json'],
  ['/content/posts/?&include=tags', 'posts/tags.json'],
  ['/content/posts/?include=', 'posts/index.json'],
  ['/content/posts/?include', 'posts/index.json'],
  ['/content/posts/?xinclude=tags', 'posts/index.json'],
  ['/content/posts/?include=tagsx', 'posts/index.json'],
  ['/content/posts/?include=xtags,authors', 'posts/authors.json'],
  ['/content/posts/?include=tags,tiers,nonsense', 'posts/tags.json'],
  ['/content/posts/?filter=tag:news', 'posts/index.json'],
  ['/content/pages/?page=1', 'pages/index.json'],
  ['/content/posts/?page=3', 'posts/page-3.json'],
  ['/content/posts/?limit=2&page=2&include=tags', 'posts/page-2-tags.json'],
  ['/content/posts/?include=tags%2Cauthors&page=2&key=1', 'posts/page-2-authors-tags.json'],
  ['/content/tags/?page=3', 'tags/page-3.json'],
  ['/content/tags/?filter=visibility:public&page=2', 'tags/page-2-public.json'],
  [
    '/content/tags/?page=2&include=count.posts&filter=visibility%3Apublic',
    'tags/page-2-public-count-posts.json',
  ],
  ['/content/authors/?page=1', 'authors/index.json'],
  ['/content/authors/?page=2', 'authors/page-2.json'],
  ['/content/authors/?page=2&include=count.posts', 'authors/page-2-count-posts.json'],
  ['/content/authors/?include=count.posts&key=1&page=02', 'authors/page-2-count-posts.json'],
];

const ALIASES: readonly Row[] = [
  ['/ghost/api/content/posts/?include=authors,tags', 'posts/authors-tags.json'],
  ['/ghost/api/v2/content/tags/', 'tags/index.json'],
  ['/ghost/api/v3/content/settings/', 'settings/index.json'],
  [`/ghost/api/v4/content/posts/${POST_ID}/`, `posts/${POST_ID}/index.json`],
  [`/ghost/api/canary${slugPath(UNICODE_SLUG)}`, `posts/slug/${UNICODE_SLUG}/index.json`],
  ['/ghost/api/content/posts/slug/con/', 'posts/slug/{con}/index.json'],
  ['/ghost/api/content/search-index/posts/?key=1', 'search-index/posts/index.json'],
];

const DECODED: readonly Row[] = [
  ['/content/%70osts/?include=tags', 'posts/tags.json'],
  ['/content/posts/%73lug/welc%6Fme/', 'posts/slug/welcome/index.json'],
  ['/content/posts/?%69nclude=tags', 'posts/tags.json'],
  ['/content/posts/?include=%74ags', 'posts/tags.json'],
  ['/content/posts/?include=tags&include=authors', 'posts/authors-tags.json'],
  ['/content/posts/?include=tags%0B', 'posts/tags.json'],
  ['/content/posts/?page=x&page=2', 'posts/page-2.json'],
  ['/content/posts/?include=TAGS', 'posts/tags.json'],
  [`/content/posts/?include=${'x'.repeat(5_000)},tags`, 'posts/tags.json'],
  [`/content/posts/?include=${',+'.repeat(2_500)}tags`, 'posts/tags.json'],
  ['/content/posts/?include=%20Tags%20,+authors', 'posts/authors-tags.json'],
  [
    `/content/posts/slug/${encodeURIComponent(UNICODE_SLUG.normalize('NFD'))}/`,
    `posts/slug/${UNICODE_SLUG}/index.json`,
  ],
];

type Method = Request['method'];

const asking = (path: string, expected: Expected, method: Method = 'GET'): Request => ({
  path,
  column: 'every',
  method,
  expected,
});

const absent = (path: string, method?: Method): Request => asking(path, { kind: 'absent' }, method);
const redirect = (path: string, to: string, method?: Method): Request =>
  asking(path, { kind: 'redirect', to }, method);
const refused = (path: string): Request => asking(path, { kind: 'refused' });
const blob = (file: string, type: string, prefix = '/content/'): Request =>
  asking(`${prefix}${file}`, { kind: 'blob', file, type });
const plain = (path: string, file: string, type: RegExp): Request =>
  asking(path, { kind: 'plain', file, type });

/** The path with each of its letters, one after the other, percent-encoded. */
const encodings = (path: string): string[] =>
  [...path].map((letter, at) => {
    const code = `%${letter.charCodeAt(0).toString(16)}`;
    return `/${path.slice(0, at)}${code}${path.slice(at + 1)}`;
  });

/** A path, and other spellings of it, which a server of files may tidy up to it. */
export const spellingsOf = (path: string): string[] => [
  ...encodings(path),
  ...['/', '//', '/./', '/x/../', '/x/%2e%2e/', '/x%2f..%2f'].map((start) => `${start}${path}`),
  ...(path.includes('/') ? ['//', '/./', '%2f', '/x/..%2f'] : []).map(
    (slash) => `/${path.replace('/', slash)}`,
  ),
];

/** Spellings of a guarded file that only a store would read as its name, to be asked for without a key. */
export const DISGUISES: readonly string[] = [
  ...encodings('content/posts/index.json'),
  ...encodings('content/settings/index.json'),
  ...encodings('content/packed/root.json'),
  ...encodings('content/search-index/posts/'),
  `/content/${COLUMN_BLOB}`,
  `/content/%70acked${TEXT_BLOB.slice('packed'.length)}`,
  ...encodings('ghost/api/v4/content/tags/'),
  '/content/p%6fsts/slug/welcome/authors-tags.json',
  '/content/./posts/index.json',
  '/content/%2e/posts/index.json',
  '/content/x/../posts/index.json',
  '/x/%2e%2e/content/posts/index.json',
  '/content%2fposts/index.json',
  '//content/posts/index.json',
  '/ghost/api/%63ontent/posts/index.json',
  '/ghost/%61pi/v4/content/posts/',
];

export const REQUESTS: readonly Request[] = [
  ...documents(LISTS),
  ...documents(RECORDS),
  ...documents(SPELLINGS),
  ...documents(ALIASES),
  ...documents(DECODED, 'decoding'),
  asking('/content/posts/', { kind: 'document', file: 'posts/index.json' }, 'HEAD'),
  asking(
    '/content/posts/slug/welcome/?include=tags',
    { kind: 'document', file: 'posts/slug/welcome/tags.json' },
    'HEAD',
  ),
  ...[
    '/content/posts/',
    '/content/posts',
    '/ghost/api/v4/content/posts/slug/welcome/?include=tags',
    '/content',
    '/content/posts/slug',
  ].map((path) => asking(path, { kind: 'preflight' }, 'OPTIONS')),
  redirect('/content/posts', '/content/posts/'),
  redirect(
    '/content/posts?include=tags%2Cauthors&key=1',
    '/content/posts/?include=tags%2Cauthors&key=1',
  ),
  redirect('/ghost/api/content/settings?key=1', '/ghost/api/content/settings/?key=1'),
  redirect('/ghost/api/v3/content/settings', '/ghost/api/v3/content/settings/'),
  redirect(slugPath(UNICODE_SLUG).slice(0, -1), slugPath(UNICODE_SLUG)),
  redirect(`/content/tags/${TAG_ID}`, `/content/tags/${TAG_ID}/`),
  redirect('/content/posts?key=1', '/content/posts/?key=1', 'HEAD'),
  absent('/content/posts/slug/none/', 'HEAD'),
  absent(`/content/posts/${'b'.repeat(24)}/`),
  absent('/content/posts/slug/none/'),
  absent('/content/posts/slug/none/?include=authors'),
  absent('/content/nonsense/'),
  ...['w%2565lcome', '%252e%252e', 'welcome%3f', 'welcome%3Fx', 'welcome%23', 'welcome%25'].map(
    (slug) => absent(`/content/posts/slug/${slug}/`),
  ),
  absent('/content/posts/%2570age-2.json'),
  absent('/content/posts/not-an-id/'),
  absent('/content/posts/slug/_hidden/'),
  absent(`/content/posts/slug/${'a'.repeat(300)}/`),
  ...['9999', '9999999999', '9'.repeat(300)].map((page) =>
    absent(`/content/authors/?page=${page}`),
  ),
  absent('/content/images/none.png'),
  absent('/content/.prepress-staging/l1'),
  absent('/content/%2Epre%70ress-staging/l1'),
  ...['_headers', '.htaccess', 'vercel.json', 'wrangler.jsonc', '%5Fredir%65cts'].map((name) =>
    absent(`/content/${name}`),
  ),
  absent('/ghost/api/v4/content/wrangler.toml'),
  absent('/content/.git/config'),
  absent('/content/images/%2Egit/config'),
  absent('/content/.well-known/security.txt'),
  absent('/content/posts/index.json.gz'),
  absent('/content/search-index/tags/index.json.b%72'),
  absent(`/content/posts/${POST_ID}/index.json.br`),
  absent('/content/posts/slug/welcome/authors.json.gz'),
  absent(`/content/${TEXT_BLOB}.gz`),
  redirect('/content/posts/slug/welcome.json.gz', '/content/posts/slug/welcome.json.gz/'),
  plain(`/content/${ARCHIVE}`, ARCHIVE, /gzip|octet-stream|^text\/plain/),
  absent('/content/'),
  absent('/content'),
  absent('/content', 'POST'),
  absent('/content/posts/slug'),
  absent('/content/posts/slug/'),
  absent('/content/posts/slug/?x'),
  absent('/content/posts/slug/', 'POST'),
  absent('/content/posts/page-2'),
  absent('/content/images'),
  absent(`/content/posts/slug/${'x'.repeat(5_000)}/`),
  absent(`/content/posts/slug/${'%41'.repeat(2_000)}/`),
  absent('/content/images/'),
  absent('/content/images/a.png/'),
  absent('/content/posts/index.json/'),
  absent('/content/posts/%0A'),
  absent('/content/posts/slug/a%0Ab/'),
  absent('/content/a%0Ab.json'),
  absent('/ghost/api/v4/content/none'),
  absent('/content/404.json', 'POST'),
  redirect('/content/search-index/tags?key=1', '/content/search-index/tags/?key=1'),
  absent('/content/search-index/'),
  absent('/content/search-index/pages/'),
  absent('/content/search-index/posts/slug/welcome/'),
  absent('/content/packed/'),
  absent(`/content/packed/3f/${'0b'.repeat(15)}.txt`),
  blob(TEXT_BLOB, 'text/plain; charset=utf-8'),
  blob(COLUMN_BLOB, 'application/octet-stream'),
  blob(TEXT_BLOB, 'text/plain; charset=utf-8', '/ghost/api/content/'),
  asking('/content/posts/slug/a%0d%0aX-Injected:%201', { kind: 'harmless' }),
  refused('/%63ontent/.env'),
  refused('//content/.env'),
  refused('/content//posts/'),
  refused('/content/posts/slug/%2e%2e/'),
  refused('/content/posts/slug/..%2f..%2f..%2f..%2fbuild.db/'),
  refused('/content/posts/slug%2fwelcome/'),
  refused('/content%2Fposts/'),
  refused('/content/posts/slug%2Fwelcome%2findex.json'),
  refused('/content/images/..%5c..%5c..%5cbuild.db'),
  refused('/content/images/%2e%2e/%2e%2e/%2e%2e/build.db'),
  refused('/content/posts/slug/welcome%00/'),
  refused('/content/posts/slug/%zz/'),
  absent('/content/posts/', 'POST'),
  absent('/content/posts', 'POST'),
  absent('/content/posts/', 'DELETE'),
  ...['a.png', ...ODD_IMAGES].map((name) =>
    plain(`/content/images/${encodeURIComponent(name)}`, `images/${name}`, /^image\/png/),
  ),
  plain(`/content/${DRAWING}`, DRAWING, /^image\/svg\+xml/),
  plain(`/ghost/api/content/${BOOK}`, BOOK, /^application\/pdf/),
  plain(`/content/${SMALL_PICTURE}`, SMALL_PICTURE, /^image\/png/),
  plain('/content/images/size/w600/a.png', 'images/a.png', /^image\/png/),
  plain('/content/images/size/w256h256/format/webp/a.png', 'images/a.png', /^image\/png/),
  ...ODD_IMAGES.map((name) =>
    plain(
      `/ghost/api/v4/content/images/size/w600/${encodeURIComponent(name)}`,
      `images/${name}`,
      /^image\/png/,
    ),
  ),
  absent('/content/images/size/w600/none.png'),
  plain('/content/images/logo@2x.png', 'images/logo@2x.png', /^image\/png/),
  ...documents([
    [`${slugPath(UNICODE_SLUG)}authors-tags.json`, `posts/slug/${UNICODE_SLUG}/authors-tags.json`],
    ['/content/404.json', '404.json'],
    ['/content/packed/root.json', 'packed/root.json'],
    ['/content/search-index/posts/index.json', 'search-index/posts/index.json'],
    ['/content/manifest.json', 'manifest.json'],
    ['/content/posts/index.json', 'posts/index.json'],
  ]),
];
