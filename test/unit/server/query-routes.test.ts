// Declaring what was asked, on the admin interface.
import { expect, test } from 'vitest';
import { PrepressError } from '../../../src/base/errors.ts';
import { adoptionMeta, declaredQuerySchema } from '../../../src/contract/admin/service-records.ts';
import type { AskedQueries, AskedQuery } from '../../../src/store/asked-queries.ts';
import { serve } from './harness.ts';

const ADOPTED = {
  queries: [{ resource: 'posts', query: 'filter=tag:{slug}', pages: 'all', files: 3, bytes: 900 }],
  left: [{ resource: 'tags', query: 'filter=a:b', reason: '"a" is no field of filters' }],
} as const;

test('what was declared is answered with its cost, and what was not with the reason', async () => {
  let calls = 0;
  const adoptQueries = async () => {
    calls += 1;
    return ADOPTED;
  };
  const { admin, get } = await serve({ adoptQueries });
  expect((await get('/admin/queries/adopt/', { method: 'POST' })).status).toBe(401);
  expect(calls).toBe(0);
  const answer = await admin('POST', '/admin/queries/adopt/');
  expect(answer.status).toBe(200);
  const { queries, meta } = (await answer.json()) as { queries: unknown[]; meta: unknown };
  expect(queries.map((query) => declaredQuerySchema.parse(query))).toEqual(ADOPTED.queries);
  expect(adoptionMeta.parse(meta)).toEqual({ left: ADOPTED.left });
  expect((await admin('GET', '/admin/queries/adopt/')).status).toBe(404);
});

test('what was asked a moment ago is there for whoever asks for the list, or adopts it', async () => {
  const added: AskedQuery[] = [];
  const askedQueries: AskedQueries = {
    add: (asked) => added.push(...asked) > 0,
    list: () => added,
  };
  const adoptQueries = async () => ({ queries: [], left: added.map(leftOf) });
  const { admin, app } = await serve({ askedQueries, adoptQueries });
  app.queriesSeen.note('posts', 'limit=2');
  const listed = (await (await admin('GET', '/admin/queries/')).json()) as { queries: unknown[] };
  expect(listed.queries).toMatchObject([{ resource: 'posts', query: 'limit=2', count: 1 }]);
  app.queriesSeen.note('posts', 'limit=3');
  const adopted = await admin('POST', '/admin/queries/adopt/');
  expect(await adopted.json()).toMatchObject({
    meta: { left: [{ query: 'limit=2' }, { query: 'limit=3' }] },
  });
});

const leftOf = ({ resource, query }: AskedQuery) => ({ resource, query, reason: '' });

test.each([
  ['a server without a settings file', {}, /no settings file/],
  [
    'a file that cannot be written',
    {
      adoptQueries: async () => {
        throw new PrepressError('VALIDATION', 'The settings file cannot be written (EROFS).');
      },
    },
    /cannot be written \(EROFS\)/,
  ],
])('%s is one clear error', async (_what, options, reason) => {
  const { admin } = await serve(options);
  const answer = await admin('POST', '/admin/queries/adopt/');
  expect(answer.status).toBe(422);
  const { errors } = (await answer.json()) as { errors: { message: string; context: string }[] };
  expect(`${errors[0]?.message} ${errors[0]?.context}`).toMatch(reason);
});
