// Declaring what was asked, on the admin interface.
import { expect, test } from 'vitest';
import { PrepressError } from '../../../src/base/errors.ts';
import { adoptionMeta, declaredQuerySchema } from '../../../src/contract/admin/service-records.ts';
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
