// A typed client that checks whole records (@ts-ghost/content-api from npm, unmodified) against a server whose answers have
// Ghost's shape.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { TSGhostContentAPI } from '@ts-ghost/content-api';
import { beforeAll, expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/ghost-export.json');

let serving: Serving;
let api: TSGhostContentAPI;

beforeAll(async () => {
  const folder = suiteFolder();
  const environment = { PREPRESS_SHAPE: 'ghost', PREPRESS_SITE_URL: 'https://typed.test' };
  cpSync(FIXTURE, join(folder.path, 'export.json'));
  await prepress(folder.path, ['import', 'export.json'], { environment });
  serving = await startServing(folder.path, { environment });
  api = new TSGhostContentAPI(serving.url, serving.contentKey, 'v6.0');
  return async () => {
    await serving.end('SIGKILL');
    folder.remove();
  };
});

type Answer = { readonly success: boolean; readonly data?: unknown };

/** What it read; fails with what it says of an answer that it refuses. */
const dataOf = <T>(answer: Answer): T => {
  expect(answer).toMatchObject({ success: true });
  return answer.data as T;
};

type Read = readonly { readonly id: string; readonly slug: string }[];

const RELATED = { authors: true, tags: true } as const;
const COUNT = { 'count.posts': true } as const;

test.each(['posts', 'pages'] as const)(
  'reads %s, alone and with what is included',
  async (name) => {
    const alone = dataOf<Read>(await api[name].browse().fetch());
    expect(alone.length).toBeGreaterThan(0);
    const whole = dataOf<Read>(await api[name].browse().include(RELATED).fetch());
    expect(whole.map(({ id }) => id)).toEqual(alone.map(({ id }) => id));
    expect(whole[0]).toMatchObject({ comments: expect.any(Boolean), authors: expect.any(Array) });
    const { id, slug } = whole[0] as Read[number];
    expect(dataOf(await api[name].read({ id }).include(RELATED).fetch())).toEqual(whole[0]);
    expect(dataOf(await api[name].read({ slug }).include(RELATED).fetch())).toEqual(whole[0]);
  },
);

test.each(['tags', 'authors'] as const)('reads %s, with their counts', async (name) => {
  const counted = dataOf<Read>(await api[name].browse().include(COUNT).fetch());
  expect(counted.length).toBeGreaterThan(0);
  expect(counted[0]).toMatchObject({ count: { posts: expect.any(Number) } });
  const { slug } = counted[0] as Read[number];
  expect(dataOf(await api[name].read({ slug }).include(COUNT).fetch())).toEqual(counted[0]);
});

test('reads settings', async () => {
  expect(dataOf(await api.settings.fetch())).toMatchObject({ url: 'https://typed.test/' });
});

test('reads tiers, whatever of them is included', async () => {
  const include = { benefits: true, monthly_price: true, yearly_price: true } as const;
  const tiers = dataOf<Read>(await api.tiers.browse().include(include).fetch());
  expect(tiers.length).toBeGreaterThan(0);
  expect(dataOf(await api.tiers.browse().fetch())).toEqual(tiers);
});

test('reads the same of a filter', async () => {
  const all = dataOf<Read>(await api.posts.browse().include(RELATED).fetch());
  const { slug } = all[0] as Read[number];
  const found = await api.posts
    .browse({ filter: `slug:${slug}` })
    .include(RELATED)
    .fetch();
  expect(dataOf(found)).toEqual([all[0]]);
});

test('pages until there is no next page, and says what is not there', async () => {
  const all = dataOf<Read>(await api.posts.browse().fetch());
  const seen: string[] = [];
  const first = api.posts.browse({ limit: 2 });
  for (let page = await first.paginate(); ; page = await page.next.paginate()) {
    seen.push(...dataOf<Read>(page.current).map(({ id }) => id));
    if (page.next === undefined) break;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  const absent = await api.posts.read({ slug: 'no-such-post' }).fetch();
  expect(absent).toMatchObject({ success: false, status: 404 });
});
