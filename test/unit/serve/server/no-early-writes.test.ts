// Requests whose credential opens nothing write nothing: they are answered while another program holds the
// database, which every write would have to wait for.
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unsubscribeUrl } from '../../../../src/serve/admin/members/unsubscribe.ts';
import { type Served, serve } from './harness.ts';

const AT = '2026-02-01T10:00:00.000Z';

const addToken = (served: Served, token: string, columns: Record<string, unknown>): void => {
  const made = { slug: token, uuid: randomUUID(), created_at: AT };
  const newsletter_id = served.insert('newsletters', { name: token, ...made });
  const row = {
    token_sha256: createHash('sha256').update(token).digest('hex'),
    newsletter_id,
    property: 'sender_email',
    value: 'a@example.com',
    created_at: 0,
    expires_at: 9e15,
    ...columns,
  };
  const names = Object.keys(row);
  served.shell
    .prepare(`INSERT INTO verification_tokens (${names}) VALUES (${names.map(() => '?')})`)
    .run(...Object.values(row));
};

test('unknown and ended credentials are refused while the database is held', async () => {
  const served = await serve();
  addToken(served, 'used', { used_at: 1 });
  addToken(served, 'revoked', { revoked_at: 1 });
  addToken(served, 'old', { expires_at: 1 });
  const { get, admin, context, shell } = served;
  const urls = { ...context, publicUrl: () => '' };
  const absent = unsubscribeUrl(urls, randomUUID());
  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await get(path, { method })).status;
  shell.exec('BEGIN IMMEDIATE');
  try {
    const page = (token: string): Promise<number> =>
      statusOf(`/newsletters/verify/?token=${token}`);
    expect(await Promise.all(['none', '', 'used', 'revoked', 'old'].map(page))).toEqual([
      404, 404, 410, 410, 410,
    ]);
    for (const token of ['none', 'used', 'revoked', 'old']) {
      const { status } = await admin('PUT', '/admin/newsletters/verifications/', { token });
      expect(status, token).toBe(422);
    }
    expect(await statusOf('/unsubscribe/?uuid=x&key=y', 'POST')).toBe(400);
    expect(await statusOf(absent, 'POST')).toBe(410);
    expect(await statusOf('/hooks/build/none', 'POST')).toBe(401);
    expect(await statusOf('/admin/posts/', 'POST')).toBe(401);
  } finally {
    shell.exec('ROLLBACK');
  }
});
