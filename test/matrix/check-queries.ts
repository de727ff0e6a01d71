// Holds a host that answers every query to the companion server beside it, over the same tree: status, headers and bytes.
import fc from 'fast-check';
import { consumerQueries, REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import { defaultSpelling } from '../helpers/default-spellings.ts';
import type { Answer, Ask } from './ask.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import { AUTHOR_ID, LONG_SLUG, NFD_SLUG, ODD_SLUG, POST_ID, TAG_ID, UNICODE_SLUG } from './site.ts';
import type { Trial } from './trials.ts';

/** Of the matrix's publication. */
export const KNOWN = {
  tag: 'news',
  author: 'author-1',
  id: POST_ID,
  slug: UNICODE_SLUG,
  time: '2026-01-04T10:00:00.000+00:00',
};

const SHAPES = ['fields=title,slug', 'formats=html,plaintext', 'fields=html&include=authors,tags'];

/** Values of include that programs and expressions may read in two ways. */
export const ODD_INCLUDES = ['tags%FF', '%74ags,%FF', 'tags,%', 'tags%2', 'tags,%4x'].concat([
  'tags%C2%A0',
  '%E3%80%80tags,authors',
  '%EF%BB%BFauthors',
  'tags&include=authors%FF',
]);

const RECORDS = [
  `posts/${POST_ID}/`,
  `tags/${TAG_ID}/`,
  `authors/${AUTHOR_ID}/`,
  `posts/${'b'.repeat(24)}/`,
  ...['welcome', UNICODE_SLUG, UNICODE_SLUG.normalize('NFD'), ODD_SLUG, LONG_SLUG, 'con', 'Twin']
    .concat('twin', 'none')
    .map((slug) => `posts/slug/${encodeURIComponent(slug)}/`),
  `pages/slug/${encodeURIComponent(NFD_SLUG)}/`,
  `pages/slug/${encodeURIComponent(NFD_SLUG.normalize('NFC'))}/`,
];

/** Of default lists, others each time: the table of differences shows them. `lists.max` is 6 at most. */
export const SPELLINGS = fc.sample(defaultSpelling(6), 60);

/** Paths after `/content/`, each as a client sends it. */
export const QUERY_PATHS: readonly string[] = [
  ...consumerQueries(KNOWN).map(({ resource, raw }) => `${resource}/?${raw}`),
  ...REFUSED_QUERIES.map(({ resource, raw }) => `${resource}/?${raw}`),
  ...SPELLINGS.map(({ resource, raw }) => `${resource}/?${raw}`),
  ...RECORDS.flatMap((path) => SHAPES.map((shape) => `${path}?${shape}`)),
  ...ODD_INCLUDES.flatMap((value) => [
    `posts/?include=${value}`,
    `posts/${POST_ID}/?include=${value}`,
    `posts/slug/welcome/?include=${value}`,
  ]),
  `posts/${POST_ID}/?formats=pdf`,
  `posts/slug/none/?formats=pdf`,
  'posts/?page=6',
  'posts/?page=99&include=tags',
  'tags/slug/quiet%231/?fields=name',
];

/** Of lists. A host that cannot look does not know that a page far past the end is no file. */
export const LIST_PATHS = QUERY_PATHS.filter(
  (path) => /^[a-z]+\/\?/.test(path) && !/\?page=(?:6$|9)/.test(path),
);

const COMPARED = [
  'content-type',
  'cache-control',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-version',
] as const;

/** What a client sees, but for the id of an error, which is another one each time, and for encodings, tried elsewhere. */
const shownOf = (
  { status, headers, body }: Answer,
  encodes: boolean,
): Readonly<Record<string, unknown>> => ({
  status,
  ...Object.fromEntries(COMPARED.map((name) => [name, headers[name]])),
  vary: encodes ? headers.vary?.replace(/Accept-Encoding, |, ?Accept-Encoding/, '') : headers.vary,
  body: body.toString().replace(/"id":"[0-9a-f-]{36}"(?=,"ghostErrorCode")/, '"id":null'),
});

type QueryOptions = {
  readonly paths?: readonly string[];
  /** It names Accept-Encoding in Vary, as the companion does not. */
  readonly encodes?: boolean;
};

/** The host answers each path below `/content/` as the companion server does; who has the answer is sent no body. */
export const queryTrials = (
  { title, site, ask }: HostUnderTest,
  companion: Ask,
  { paths = QUERY_PATHS, encodes = false }: QueryOptions = {},
): Trial[] =>
  paths.map((query) => ({
    host: title,
    request: query,
    hold: async (compare) => {
      const path = `${site.basePath}/content/${query}`;
      const holdSame = async (method: string): Promise<Answer> => {
        const [answer, expected] = await Promise.all([
          ask({ path, method }),
          companion({ path, method }),
        ]);
        const [shown, told] = [shownOf(answer, encodes), shownOf(expected, encodes)];
        for (const [name, value] of Object.entries(told))
          compare(method === 'GET' ? name : `${name} of ${method}`, shown[name], value);
        return answer;
      };
      const { status, headers } = await holdSame('GET');
      if (status !== 200) return;
      const again = await ask({ path, headers: { 'if-none-match': headers.etag ?? '' } });
      compare('status, bytes of known', [again.status, again.body.length], [304, 0]);
      await holdSame('HEAD');
    },
  }));
