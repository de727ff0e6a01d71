// The work that a token costs, counted: it must not tell which keys exist.

import type { KyselyPlugin } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DB, db } from '../../../../src/publication/store/db.ts';
import { createKey, revokeKey } from '../../../../src/serve/admin/keys/keys.ts';
import { createAuthenticate } from '../../../../src/serve/server/routes/authenticate.ts';
import { createHarness } from '../admin/harness.ts';
import { signToken } from './harness.ts';

const OTHER = 'e'.repeat(64);

const createCounted = async () => {
  const { context } = await createHarness();
  const work = { lookups: 0, rows: 0, opened: 0, signatures: 0 };
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      work.lookups += 1;
      return node;
    },
    transformResult: async ({ result }) => {
      work.rows += result.rows.length;
      return result;
    },
  };
  const verify = vi.spyOn(globalThis.crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  const { store, secretBox } = context;
  const authenticate = createAuthenticate({
    ...context,
    store: { ...store, [DB]: db(store).withPlugin(counting) },
    secretBox: {
      ...secretBox,
      open: (sealed) => {
        work.opened += 1;
        return secretBox.open(sealed);
      },
    },
  });
  const measure = async (key: string, kid?: unknown) => {
    Object.assign(work, { lookups: 0, rows: 0, opened: 0, signatures: 0 });
    verify.mockClear();
    const header = kid === undefined ? {} : { header: { kid } };
    const id = await authenticate(`Ghost ${signToken(key, header)}`);
    return [id, { ...work, signatures: verify.mock.calls.length }] as const;
  };
  return { context, measure };
};

test('a token costs the same work whatever its key id is', async () => {
  const { context, measure } = await createCounted();
  const known = await createKey(context, { type: 'admin', name: 'Known' });
  const content = await createKey(context, { type: 'content', name: 'Content' });
  const revoked = await createKey(context, { type: 'admin', name: 'Revoked' });
  await revokeKey(context, revoked.id);
  const work = { lookups: 1, rows: 1, opened: 1, signatures: 1 };
  expect(await measure(known.key)).toEqual([known.id, work]);
  expect(await measure(`${known.id}:${OTHER}`)).toEqual([null, work]);
  const kids = [content.id, revoked.id, 'f'.repeat(24), '0'.repeat(24), 'not an id', '', 7, null];
  for (const kid of kids) {
    expect([kid, await measure(`x:${OTHER}`, kid)]).toEqual([kid, [null, work]]);
  }
});
