// What one admin key may do to what belongs to another: nothing, unless it is an owner key.
import { expect, test } from 'vitest';
import { createKey } from '../../../../src/serve/admin/keys/keys.ts';
import { type Json, type Served, serve } from './harness.ts';

type Ask = Served['admin'];

const HOOK = { event: 'post.published', target_url: 'https://receiver.example/hook' };
const NOBODY = 'f'.repeat(24);

/** A server whose first key is the owner's, and two integrations. */
const serveThree = async (state: object = {}) => {
  const served = await serve({ state });
  const make = async (name: string) => {
    const { id, key } = await createKey(served.context, { type: 'admin', name });
    return { id, ask: served.adminAs(key) };
  };
  const owner = { id: served.adminKey.split(':')[0] ?? '', ask: served.admin };
  return { served, owner, one: await make('One'), other: await make('Other') };
};

/** The records of an answer; of one without a body none. */
const listOf = async (response: Response, root: string): Promise<Json[]> =>
  (JSON.parse((await response.text()) || '{}') as Record<string, Json[]>)[root] ?? [];

const firstOf = async (response: Response, root: string): Promise<Json> =>
  (await listOf(response, root))[0] ?? {};

const idsOf = async (response: Response, root: string): Promise<unknown[]> =>
  (await listOf(response, root)).map(({ id }) => id);

const problemOf = async (response: Response) =>
  [response.status, await firstOf(response, 'errors')] as const;

test('a webhook and its deliveries belong to its key and to the owner', async () => {
  const { owner, one, other } = await serveThree();
  const made = await one.ask('POST', '/admin/webhooks/', {
    webhooks: [{ ...HOOK, integration_id: other.id }],
  });
  const { id, integration_id } = await firstOf(made, 'webhooks');
  expect(integration_id).toBe(one.id);
  const tested = await one.ask('POST', `/admin/webhooks/${id}/test/`);
  const { id: delivery } = await firstOf(tested, 'deliveries');
  const name = { webhooks: [{ name: 'N' }] };
  const actions = [
    ['PUT', `/admin/webhooks/${id}/`, name],
    ['POST', `/admin/webhooks/${id}/test/`],
    ['POST', `/admin/deliveries/${delivery}/redeliver/`],
    ['DELETE', `/admin/webhooks/${id}/`],
  ] as const;
  for (const [method, path, body] of actions) {
    const [status, problem] = await problemOf(await other.ask(method, path, body));
    expect([path, status, problem.type]).toEqual([path, 403, 'NoPermissionError']);
    const unknown = path.replace(/[0-9a-f]{24}/, NOBODY);
    expect([unknown, (await other.ask(method, unknown, body)).status]).toEqual([unknown, 404]);
  }
  const seenBy = async ({ ask }: { ask: Ask }, query = '') =>
    idsOf(await ask('GET', `/admin/deliveries/${query}`), 'deliveries');
  expect(await seenBy(other)).toEqual([]);
  expect(await seenBy(other, `?webhook_id=${id}`)).toEqual([]);
  expect(await seenBy(one)).toEqual([delivery]);
  expect(await seenBy(owner)).toEqual([delivery]);
  for (const [at, [method, path, body]] of actions.entries()) {
    const { ask } = at % 2 === 0 ? owner : one;
    expect([path, (await ask(method, path, body)).ok]).toEqual([path, true]);
  }
});

test('a key sees and revokes itself alone, and makes no keys', async () => {
  const { served, owner, one, other } = await serveThree();
  expect(await idsOf(await one.ask('GET', '/admin/keys/'), 'keys')).toEqual([one.id]);
  const all = await idsOf(await owner.ask('GET', '/admin/keys/'), 'keys');
  expect(all).toEqual(expect.arrayContaining([owner.id, one.id, other.id]));
  expect(all).toHaveLength(5);
  for (const type of ['admin', 'content', 'hook']) {
    const made = await one.ask('POST', '/admin/keys/', { keys: [{ type, name: 'Mine' }] });
    expect((await problemOf(made))[1]).toMatchObject({ type: 'NoPermissionError' });
  }
  const refusals = await Promise.all(
    [owner.id, other.id, NOBODY].map(async (id) => {
      const [status, { id: _, ...rest }] = await problemOf(
        await one.ask('DELETE', `/admin/keys/${id}/`),
      );
      return JSON.stringify([status, rest]);
    }),
  );
  // The answer does not say which keys there are.
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toContain('403');
  const inForce = 'SELECT count(*) FROM api_keys WHERE revoked_at IS NULL';
  expect(served.shell.prepare(inForce).pluck().get()).toBe(5);
  expect((await one.ask('DELETE', `/admin/keys/${one.id}/`)).status).toBe(204);
  expect((await one.ask('GET', '/admin/keys/')).status).toBe(401);
  expect((await owner.ask('DELETE', `/admin/keys/${other.id}/`)).status).toBe(204);
  expect((await owner.ask('DELETE', `/admin/keys/${NOBODY}/`)).status).toBe(404);
});

test('webhooks of a revoked key send nothing until an owner saves them', async () => {
  const { served, owner, one } = await serveThree();
  const ids: unknown[] = [];
  for (const [at, { ask }] of [one, owner].entries()) {
    const hook = { ...HOOK, target_url: `${HOOK.target_url}${at}` };
    const made = await ask('POST', '/admin/webhooks/', { webhooks: [hook] });
    ids.push((await firstOf(made, 'webhooks')).id);
  }
  const states = (): unknown[] =>
    served.shell.prepare('SELECT status FROM webhooks ORDER BY target_url').pluck().all();
  expect((await owner.ask('DELETE', `/admin/keys/${one.id}/`)).status).toBe(204);
  expect(states()).toEqual(['disabled', 'enabled']);
  const saved = { webhooks: [{ name: 'Known' }] };
  expect((await owner.ask('PUT', `/admin/webhooks/${ids[0]}/`, saved)).status).toBe(200);
  expect(states()).toEqual(['enabled', 'enabled']);
});

test('the interface makes no owner keys and keeps the last one', async () => {
  const { served, owner } = await serveThree();
  const wish = { type: 'admin', name: 'New', is_owner: true, isOwner: true };
  const made = await owner.ask('POST', '/admin/keys/', { keys: [wish] });
  expect(await firstOf(made, 'keys')).toMatchObject({ is_owner: false });
  const [status, problem] = await problemOf(await owner.ask('DELETE', `/admin/keys/${owner.id}/`));
  expect([status, problem.property]).toEqual([422, 'id']);
  expect(problem.context).toContain('prepress keys create --type admin --owner');
  const second = { type: 'admin', name: 'Second', isOwner: true } as const;
  const { key } = await createKey(served.context, second);
  expect((await owner.ask('DELETE', `/admin/keys/${owner.id}/`)).status).toBe(204);
  expect((await served.adminAs(key)('GET', '/admin/keys/')).status).toBe(200);
});

test('of the places of the machine an owner key alone reads where they are', async () => {
  const failure = { code: 'DEPLOY_FAILED', message: 'EACCES: permission denied, /srv/secret' };
  const { served, owner, one } = await serveThree({
    lastReport: { generation: 3, warnings: ['The last build wrote to /srv/secret.'] },
    lastError: failure,
    deploys: ['dir:/srv/secret', 's3://secret/site', 'exec:/opt/secret'].map((target) => ({
      target,
      state: 'failing',
      lastError: failure,
    })),
    following: { source: '/var/secret/ghost.db', importedAt: 1, error: { ...failure, since: 1 } },
  });
  served.insert('builds', {
    kind: 'full',
    state: 'failed',
    requested_by: 'admin',
    requested_at: 1,
    error: failure.message,
  });
  const readBy = async (ask: Ask) =>
    Promise.all(
      ['state', 'builds'].map(async (name) => (await ask('GET', `/admin/${name}/`)).text()),
    );
  for (const text of await readBy(owner.ask)) expect(text).toContain('/srv/secret');
  const [state = '', builds = ''] = await readBy(one.ask);
  expect(`${state}${builds}`).not.toMatch(/secret/);
  expect(builds).toContain('"failed"');
  const said = { ...failure, message: 'A target did not receive the whole build.' };
  expect(JSON.parse(state).state).toMatchObject({
    lastReport: { generation: 3, warnings: [] },
    lastError: said,
    deploys: ['dir', 's3', 'exec'].map((target) => ({ target, state: 'failing', lastError: said })),
    following: { source: 'file', importedAt: 1, error: { ...said, since: 1 } },
  });
});
