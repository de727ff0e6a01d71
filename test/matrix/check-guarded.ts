// Holds a host that asks for content keys: each wrong way to ask, and no spelling of a guarded file passes without one.
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { DISGUISES } from './conformance.ts';
import { holdAll, type Trial } from './trials.ts';

/** `right` is the only key. */
export const holdGuarded = async (ask: Ask, basePath = ''): Promise<void> => {
  const statusOf = async (path: string): Promise<number> =>
    (await ask({ path: `${basePath}/content/${path}` })).status;
  const keys = ['', '?key=wrong', '?key=right', '?key=right&key=right', 'index.json'];
  const statuses = await Promise.all(keys.map((query) => statusOf(`posts/${query}`)));
  expect(statuses).toEqual([403, 401, 200, 400, 403]);
  expect(await statusOf('images/a.png')).toBe(200);
  const disguises = new Set(DISGUISES.flatMap((one) => [one, `${basePath}${one}`]));
  await holdAll(
    [...disguises].map(
      (path): Trial => ({
        host: 'asks for a key',
        request: path,
        hold: async (compare) => {
          const { status, body } = await ask({ path });
          compare('status', status, expect.toBeOneOf([403, 404]));
          compare('body', body.includes('Body'), false);
        },
      }),
    ),
  );
};
