// Holds hosts that run no code to what they promise of queries that have no file of their own: the default list where the query
// means it, and no other list than the one that was asked for. `refuse`: 400, with what to do; `pass on`: what the companion
// server answers; `ignore`: the default list of the same include and page.
import { expect } from 'vitest';
import { OTHER_QUERY_BODY } from '../../src/publish/hosts/rules/other-queries.ts';
import type { OtherQueries } from '../../src/settings/schemas.ts';
import type { Answer, Ask } from './ask.ts';
import { ODD_INCLUDES, SPELLINGS } from './check-queries.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import { ODD_SLUG, POST_ID, UNICODE_SLUG } from './site.ts';
import type { Compare, Trial } from './trials.ts';

export type Mode = 'refuse' | 'pass on' | 'ignore';

/** The setting for each. */
export const otherQueriesOf = (mode: Mode, companionPort: number): OtherQueries =>
  mode === 'pass on' ? `http://127.0.0.1:${companionPort}` : mode;

/** A host that was told what to do with other queries, and the companion server with the same publication. */
export type RuleHost = HostUnderTest & { readonly mode: Mode; readonly companion: Ask };

/** The default list, whatever is done with others; `lists.max` is 6. */
const DEFAULTS = [
  ['posts', ''],
  ['posts', 'include=tags'],
  ['posts', 'key=1&include=authors%2Ctags'],
  ['posts', 'include=tags&page=2'],
  ['posts', 'nonsense=1&slug=x'],
  ['posts', 'limit=6'],
  ['posts', 'limit=all&page=2&include=tags'],
  ['posts', 'limit=+7+&order=published_at%20desc'],
  ['posts', 'order=published_at+DESC,id+desc&formats=html&page=2'],
  ['posts', 'limit=007&page=01&filter=+&fields='],
  ['posts', 'limit=0&formats=Html,lexical&order=title,nonsense+desc'],
  ['posts', 'limit=many&page=0&formats=&order=&include='],
  ['posts', 'include=tags&include=Auth%6Frs%20,nonsense'],
  ['posts', 'include[]=tags&include%5B1%5D=authors&limit[]=all&page[0]=2'],
  ['pages', 'order=TITLE%20asc,id%20desc&formats=mobiledoc,html'],
  ['pages', 'order=title%20asc'],
  ['tags', 'filter=visibility:public&limit=all&page=2&order=name+asc'],
  ['tags', 'filter=+visibility:%20public&include=count.posts'],
  ['tags', 'formats=html,plaintext'],
  ['authors', 'limit=4294967296'],
  ['posts', 'limit=%61ll&page=%31&include=tags,%FF,'],
  ['posts', 'limit=all&limit=all&include=%&formats=html&formats=HTML'],
  ['tags', 'filter=(visibility:public)&filter=visibility:%27public%27'],
] as const;

/** No file; with the default list that stands for it where it is ignored. */
const OTHERS = [
  ['posts', 'limit=4', ''],
  ['posts', 'limit=4&include=tags', 'include=tags'],
  ['posts', 'limit=1&page=2&include=tags', 'page=2&include=tags'],
  ['posts', 'page=0x2', null],
  ['posts', 'limit=%32&limit=all', null],
  ['tags', 'filter=(visibility:public', null],
  ['posts', 'filter=()', null],
  ['posts', 'l%69mit=3', null],
  ['posts', 'fields=title', ''],
  ['posts', 'limit[]=1&filter%5B0%5d=featured:true', null],
  ['posts', 'formats=plaintext', ''],
  ['posts', 'order=slug%20asc', ''],
  ['posts', 'order=nonsense%20asc%2Cslug%20asc', ''],
  ['posts', 'filter=tag:bells%2Bfeatured:true&include=tags', 'include=tags'],
  ['tags', 'filter=visibility:public,visibility:internal', null],
  ['authors', 'limit=1&page=2', null],
  ['posts', 'page=9999999999', null],
  // Longer than Varnish reads.
  ['posts', `filter=slug:-[${'x,'.repeat(900)}welcome]`, ''],
] as const;

/** What programs read, and rules may not: answered rightly, or refused. */
const SLOPPY = [
  ['posts', 'limit=2&limit=6'],
  ['posts', 'limit=6&limit=2'],
  ['posts', 'order=published_at%09desc'],
  ['posts', 'limit&limit=2'],
  ['posts', 'page&page=2'],
  ['posts', 'page=1&page=2'],
  ['tags', 'filter&filter=visibility:public'],
  ['tags', 'include=count.posts%C2%A0'],
  ['posts', 'include=tags%00'],
  ['posts', 'include=tags,%25'],
  ...ODD_INCLUDES.map((value) => ['posts', `include=${value}`] as const),
] as const;

const RECORDS = [`posts/${POST_ID}`].concat(
  ['welcome', UNICODE_SLUG, ODD_SLUG].map((slug) => `posts/slug/${encodeURIComponent(slug)}`),
);

export const listTrials = (host: RuleHost): Trial[] => {
  const { mode } = host;
  const records = RECORDS.flatMap((record) =>
    [...ODD_INCLUDES, 'tags', 'tags,%25', 'authors,%20tags'].map((value) =>
      eitherTrial(host, [record, `include=${value}`]),
    ),
  );
  return [
    ...DEFAULTS.map(([resource, raw]) => sameTrial(host, [resource, raw])),
    ...SPELLINGS.map(({ resource, raw }) => sameTrial(host, [resource, raw])),
    ...pagesTrials(host, 9, ['', 'include=authors']),
    ...OTHERS.flatMap(([resource, raw, list = null]) =>
      otherTrials(host, { query: [resource, raw], list }),
    ),
    ...(mode === 'ignore' ? [] : records),
    ...(mode === 'refuse' ? SLOPPY.map((query) => eitherTrial(host, query)) : []),
  ];
};

type Query = readonly [resource: string, raw: string];

const asking = (
  { title, site, ask, companion }: RuleHost,
  [resource, raw]: Query,
  hold: (compare: Compare, answer: Answer, expected: Answer) => void,
): Trial => {
  const path = `${site.basePath}/content/${resource}/?${raw}`;
  return {
    host: title,
    request: `${resource}/?${raw}`,
    hold: async (compare) => hold(compare, await ask({ path }), await companion({ path })),
  };
};

const compareDocument = (compare: Compare, { headers }: Answer, cache: string): void => {
  compare('allow-origin', headers['access-control-allow-origin'], '*');
  compare('cache-control', headers['cache-control'], cache);
  compare('content-type', headers['content-type'], 'application/json; charset=utf-8');
};

/** Answered by a file, as the companion server answers it. */
const sameTrial = (host: RuleHost, query: Query): Trial =>
  asking(host, query, (compare, answer, expected) => {
    compare('status', [answer.status, expected.status], [200, 200]);
    compare('body', answer.body.toString(), expected.body.toString());
    compareDocument(compare, answer, 'public, max-age=0, must-revalidate');
  });

/** Refused, or passed on, or the list that stands for it. */
const otherTrials = (
  host: RuleHost,
  { query, list = null }: { readonly query: Query; readonly list?: string | null },
): Trial[] => {
  const [resource] = query;
  if (host.mode === 'refuse') {
    return [
      asking(host, query, (compare, answer) => {
        compare('status', answer.status, 400);
        compare('body', answer.body.toString(), OTHER_QUERY_BODY);
        compareDocument(compare, answer, 'no-store');
      }),
    ];
  }
  if (host.mode === 'pass on') {
    return [
      asking(host, query, (compare, answer, expected) => {
        compare('status', answer.status, expected.status);
        compare('body', told(answer), told(expected));
        for (const name of ['access-control-allow-origin', 'cache-control', 'content-type'])
          compare(name, answer.headers[name], expected.headers[name]);
      }),
    ];
  }
  if (list === null) return [];
  const { title, site, ask, companion } = host;
  const pathOf = (raw: string): string => `${site.basePath}/content/${resource}/?${raw}`;
  return [
    {
      host: title,
      request: query.join('/?'),
      hold: async (compare) => {
        const { status, body } = await ask({ path: pathOf(query[1]) });
        const expected = await companion({ path: pathOf(list) });
        compare('status', status, 200);
        compare('body', body.toString(), expected.body.toString());
      },
    },
  ];
};

/** Errors of the server have an id of their own. */
const told = ({ body }: Answer): string => body.toString().replace(/"id":"[0-9a-f-]{36}"/, '');

/** Answered rightly, or refused where that is what the host does. */
const eitherTrial = (host: RuleHost, query: Query): Trial =>
  asking(host, query, (compare, answer, expected) => {
    const { status, headers, body } = answer;
    const isRefused = host.mode === 'refuse' && status !== 200;
    compare('status', status, isRefused ? expect.toBeOneOf([400, 404]) : expected.status);
    if (status === 400) compare('body', body.toString(), OTHER_QUERY_BODY);
    if (!isRefused) compare('body', body.toString(), expected.body.toString());
    compare('allow-origin', headers['access-control-allow-origin'], '*');
  });

/** Every page until `next` is null, and until one is empty, as clients go through them. */
const pagesTrials = (
  { title, site, ask }: RuleHost,
  total: number,
  queries: readonly string[],
): Trial[] =>
  queries.map((raw) => ({
    host: title,
    request: `posts/?${raw}, page by page`,
    hold: async (compare) => {
      const slugs: string[] = [];
      let isEmpty = false;
      for (let page = 1; !isEmpty && page < 20; page += 1) {
        const path = `${site.basePath}/content/posts/?${raw}&page=${page}`;
        const { status, body } = await ask({ path });
        compare(`status of page ${page}`, status, 200);
        const { posts, meta } = JSON.parse(body.toString());
        slugs.push(...(posts as { slug: string }[]).map(({ slug }) => slug));
        isEmpty = posts.length === 0;
        const isLast = isEmpty || slugs.length === meta.pagination.total;
        compare(`page ${page} is the last`, meta.pagination.next === null, isLast);
      }
      compare('posts', [slugs.length, new Set(slugs).size], [total, total]);
    },
  }));
