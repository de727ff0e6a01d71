// Holds a host that runs no code to what it promises of queries: declared ones are answered as the companion server
// answers them, to the byte, and no other one is answered by a list that nobody asked for.
import { expect, test } from 'vitest';
import { UNDECLARED_BODY } from '../../src/hosts/undeclared.ts';
import { REFUSED_QUERIES } from '../helpers/consumer-queries.ts';
import type { Answer, Ask } from './ask.ts';
import { ODD_INCLUDES } from './check-queries.ts';
import { CONSUMERS, ONE_PAGE, UNICODE_TAG } from './declared-site.ts';
import { ODD_SLUG, POST_ID, UNICODE_SLUG } from './site.ts';

export type DeclaredHost = {
  readonly ask: Ask;
  /** The companion server, with the same publication. */
  readonly companion: Ask;
  /** Where the interface is: `/content`, or an alias. */
  readonly base: string;
};

type Query = readonly [resource: string, raw: string];

/** Sloppy ones, which rules do not read as the program does. */
const UNREAD = /include=.*include=|limit=.*limit=|fields=nothing/;
/** Past the first page after the last one. */
const FAR = /page=999/;

const PATTERNS: readonly Query[] = [
  ['posts', 'filter=tag:news&limit=2&include=tags,authors'],
  ['posts', 'key=0123&limit=2&filter=tag%3Anews&include=authors%2Ctags'],
  ['posts', 'page=2&limit=2&filter=tag%3anews&include=authors%2ctags'],
  ['posts', 'page=4&limit=2&filter=tag:+news&include=authors,tags'],
  ['posts', 'filter=tag:%20hash-inner%20&limit=2&include=tags,authors&slug=x'],
  ['posts', `filter=tag:${encodeURIComponent(UNICODE_TAG)}&limit=2&include=tags,authors`],
  [
    'posts',
    `filter=tag%3A${encodeURIComponent(UNICODE_TAG).toLowerCase()}&limit=2&include=tags,authors`,
  ],
  ['posts', 'filter=tag:none&limit=2&include=tags,authors'],
  ['posts', 'fields=slug,title&filter=author:author-1%2Bfeatured:false'],
  ['posts', 'fields=slug%2C%20title&filter=author%3Aauthor-1%20%2B%20featured%3Afalse&page=1'],
  ['posts', 'page=2&fields=title,slug&filter=author:author-1%2Bfeatured:false'],
  ['posts', 'fields=slug&filter=+title:+%27Post%201%27+'],
];

const DEFAULTS: readonly Query[] = [
  ['posts', 'limit=6'],
  ['posts', 'limit=all&page=2&include=tags'],
  ['posts', 'limit=+7+&order=published_at%20desc'],
  ['posts', 'order=published_at+DESC,id+desc&formats=html&page=3'],
  ['posts', 'limit=007&page=01&filter=+&fields='],
  ['pages', 'order=title%20asc'],
  ['tags', 'filter=visibility:public&limit=all&page=2&order=name+asc'],
  ['tags', 'filter=+visibility:%20public&include=count.posts'],
  ['tags', 'formats=html,plaintext'],
  ['authors', 'limit=4294967296'],
];

/** What a program reads, and rules do not. */
const SLOPPY: readonly Query[] = [
  ['posts', 'limit=2&limit=6'],
  ['posts', 'limit=6&limit=2'],
  // Slugs that a tag may have got since the rules were written.
  ['posts', 'filter=tag:%E6%97%A5&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:caf%C3%A9%7c%f0%9f%98%80%E1%BA%A1&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:../../x&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:..%2F..%2Fx&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news%3F&limit=2&include=tags,authors&page=1'],
  ['posts', 'filter=tag:%2e%2e%2fx&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:%6eews&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:%7aebra&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:%7Eews&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news%C2%A0&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:%E3%80%80news&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:ne%E2%80%A8ws&limit=2&include=tags,authors'],
  ['posts', 'filter=tag%3Anews%FF&limit=2&include=tags,authors'],
  ['posts', "fields=slug&filter=title:'Post++1'"],
  ['posts', "fields=slug&filter=title:'Post%091'"],
  ['posts', 'order=published_at%09desc'],
  ['posts', 'limit&limit=2'],
  ['posts', 'page&page=2'],
  ['posts', 'page=1&page=2'],
  ['posts', 'page=2&page=2&limit=2'],
  ['tags', 'filter&filter=visibility:public'],
  ...ODD_INCLUDES.map((value): Query => ['posts', `include=${value}`]),
  ['tags', 'include=count.posts%C2%A0'],
  ['posts', 'include=tags%00'],
  ['posts', 'include=tags,%25'],
  ...CONSUMERS.filter(({ raw }) => UNREAD.test(raw)).map(
    ({ resource, raw }): Query => [resource, raw],
  ),
];

const UNDECLARED: readonly Query[] = [
  ...REFUSED_QUERIES.map(({ resource, raw }): Query => [resource, raw]),
  ['posts', 'limit=1'],
  ['posts', 'limit=4'],
  ['posts', 'page=0x2'],
  ['posts', 'l%69mit=3'],
  ['posts', 'fields=title'],
  ['posts', 'fields=title,slug,secret&filter=author:author-1%2Bfeatured:false'],
  ['posts', 'order=slug%20asc'],
  ['posts', 'filter=tag:news%2Bfeatured:true'],
  ['posts', 'filter=tag:-news&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:null&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:[news]&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:ne+ws&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news&filter=featured:true&limit=2&include=tags,authors'],
  ['posts', 'filter=tag:news&limit=2&include=tags'],
  ['posts', 'page=3&fields=title,slug&filter=author:author-1%2Bfeatured:false'],
  ['pages', 'filter=tag:news&limit=2&include=tags,authors'],
  ['tags', 'filter=visibility:public,visibility:internal'],
  ['authors', 'limit=1&page=2'],
];

const pathOf = ({ base }: DeclaredHost, [resource, raw]: Query): string =>
  `${base}/${resource}/?${raw}`;

const askBoth = async (host: DeclaredHost, query: Query): Promise<[Answer, Answer]> => {
  const path = pathOf(host, query);
  return [await host.ask({ path }), await host.companion({ path })];
};

/** Asks for a slug that no tag has. */
const isUnknown = ([, raw]: Query): boolean =>
  /tag:none/.test(raw) && PATTERNS.some((query) => query[1] === raw);

type DeclaredOptions = {
  /** What it says of a slug that nobody has: not every host can look for a file. */
  readonly unknownStatus?: 200 | 404;
  /** Why a query that others answer is refused here. */
  readonly refuses?: (query: Query) => boolean;
  /** What it does not see at all: names that are encoded, or parameters that are repeated. */
  readonly ignores?: (query: Query) => boolean;
};

/** `get` gives the running host; it is called inside of tests only. */
export const checkDeclared = (
  get: () => DeclaredHost,
  { unknownStatus = 200, refuses = () => false }: DeclaredOptions = {},
): void => {
  const consumers = CONSUMERS.map(({ resource, raw }): Query => [resource, raw]);
  const read = consumers.filter(([, raw]) => !UNREAD.test(raw) && !FAR.test(raw));
  const answered = [...read, ...PATTERNS, ...DEFAULTS].filter((query) => !refuses(query));
  test.each(answered.filter((query) => unknownStatus === 200 || !isUnknown(query)))(
    '%s?%s is answered as the companion server does',
    (...query) => expectSame(get(), query),
  );
  test.each(consumers.filter(([, raw]) => FAR.test(raw)))('%s?%s is absent', async (...query) => {
    expect((await get().ask({ path: pathOf(get(), query) })).status).toBe(404);
  });
  const unknown = PATTERNS.filter((query) => unknownStatus === 404 && isUnknown(query));
  test.each(unknown)('%s?%s is answered by no other list', async (...query) => {
    const [answer, expected] = await askBoth(get(), query);
    if (answer.body.toString() === expected.body.toString()) return;
    expect([400, 404, 422]).toContain(answer.status);
  });
};

const expectSame = async (host: DeclaredHost, query: Query): Promise<void> => {
  const [answer, expected] = await askBoth(host, query);
  expect(answer.body.toString()).toBe(expected.body.toString());
  expect([answer.status, expected.status]).toEqual([200, 200]);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
};

export const checkRefusals = (
  get: () => DeclaredHost,
  { refuses = () => false, ignores = () => false }: DeclaredOptions = {},
): void => {
  const refused = [...PATTERNS, ...DEFAULTS].filter(refuses);
  test.each([...UNDECLARED, ...refused].filter((query) => !ignores(query)))(
    '%s?%s is refused',
    (...query) => expectRefused(get(), query),
  );

  test('a sloppy query is answered rightly, or refused', async () => {
    for (const query of SLOPPY.filter((query) => !ignores(query))) {
      const [answer, expected] = await askBoth(get(), query);
      expect([200, 400, 404]).toContain(answer.status);
      if (answer.status === 200) expect(answer.body.toString()).toBe(expected.body.toString());
    }
  });

  test('a refusal has no body for HEAD, and names what to do for GET', async () => {
    const path = pathOf(get(), ['posts', 'limit=4']);
    const { status, body } = await get().ask({ path, method: 'HEAD' });
    expect([status, body.length]).toEqual([400, 0]);
    expect(JSON.parse(UNDECLARED_BODY).errors[0].message).toMatch(
      /prepress-content\/client.*queries.*undeclared/,
    );
  });
};

const expectRefused = async (host: DeclaredHost, query: Query): Promise<void> => {
  const answer = await host.ask({ path: pathOf(host, query) });
  expect(answer.body.toString()).toBe(UNDECLARED_BODY);
  expect(answer.status).toBe(400);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
};

export const checkPassing = (
  get: () => DeclaredHost,
  { ignores = () => false }: DeclaredOptions = {},
): void => {
  test.each(UNDECLARED.filter((query) => !ignores(query)))(
    '%s?%s is passed on',
    async (...query) => {
      const [answer, expected] = await askBoth(get(), query);
      const told = ({ body }: Answer): string =>
        body.toString().replace(/"id":"[0-9a-f-]{36}"/, '');
      expect(told(answer)).toBe(told(expected));
      expect(answer.status).toBe(expected.status);
      for (const name of ['access-control-allow-origin', 'cache-control', 'content-type'])
        expect(answer.headers[name], name).toBe(expected.headers[name]);
    },
  );
};

export const checkIgnoring = (get: () => DeclaredHost): void => {
  test('what is undeclared is answered by the default list', async () => {
    const list = async (raw: string): Promise<string> =>
      (await get().ask({ path: pathOf(get(), ['posts', raw]) })).body.toString();
    expect(await list('limit=4&include=tags')).toBe(await list('include=tags'));
    expect(await list('filter=tag:a,b&page=2')).toBe(await list('page=2'));
    expect(await list('limit=2&page=2')).not.toBe(await list('page=2'));
  });
};

const RECORDS = [
  `posts/${POST_ID}`,
  'posts/slug/welcome',
  `posts/slug/${encodeURIComponent(UNICODE_SLUG)}`,
  `posts/slug/${encodeURIComponent(ODD_SLUG)}`,
];

/** `refuses`: the host may refuse what programs read otherwise; else it passes that on. */
export const checkRecords = (
  get: () => DeclaredHost,
  { refuses }: { readonly refuses: boolean },
): void => {
  test.each(RECORDS)('%s with an odd include is answered rightly, or refused', async (record) => {
    for (const value of [...ODD_INCLUDES, 'tags', 'tags,%25', 'authors,%20tags']) {
      const [answer, expected] = await askBoth(get(), [record, `include=${value}`]);
      expect(refuses ? [200, 400] : [200], value).toContain(answer.status);
      const body = answer.status === 400 ? UNDECLARED_BODY : expected.body.toString();
      expect(answer.body.toString(), value).toBe(body);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });
};

/** Every page until `next` is null, and until one is empty, as clients go through them. */
export const checkLoops = (get: () => DeclaredHost): void => {
  test.each(['', 'limit=2&include=authors', 'filter=tag:news&limit=2&include=tags,authors'])(
    'pages of posts?%s end',
    async (raw) => {
      const slugs: string[] = [];
      let isEmpty = false;
      for (let page = 1; !isEmpty; page += 1) {
        expect(page).toBeLessThan(20);
        const path = pathOf(get(), ['posts', `${raw}&page=${page}`]);
        const { status, body } = await get().ask({ path });
        expect(status).toBe(200);
        const { posts, meta } = JSON.parse(body.toString());
        slugs.push(...(posts as { slug: string }[]).map(({ slug }) => slug));
        isEmpty = posts.length === 0;
        expect(meta.pagination.next === null).toBe(
          isEmpty || slugs.length === meta.pagination.total,
        );
      }
      expect(new Set(slugs).size).toBe(slugs.length);
      expect(slugs.length).toBe(raw.includes('news') ? 5 : 9);
    },
  );

  test('pages of a query of which one is a file end, or the next one is refused with what to do', async () => {
    let refusal: Answer | null = null;
    for (let page: number | null = 1; page !== null; ) {
      expect(page).toBeLessThan(20);
      const path = pathOf(get(), ['posts', `${ONE_PAGE}&page=${page}`]);
      const answer = await get().ask({ path });
      const { meta } = JSON.parse(answer.body.toString());
      if (answer.status !== 200) refusal = answer;
      page = answer.status === 200 ? meta.pagination.next : null;
    }
    if (refusal === null) return;
    expect([refusal.status, refusal.body.toString()]).toEqual([400, UNDECLARED_BODY]);
    expect(UNDECLARED_BODY).toMatch(/page of it.*pages: all/);
  });
};
