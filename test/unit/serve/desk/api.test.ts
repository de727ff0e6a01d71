// The desk signs with the server's time where this computer's clock is wrong, and has a token ready for a page that closes.
import { afterEach, expect, test, vi } from 'vitest';

const KEY = { id: 'a'.repeat(24), secret: '0'.repeat(64) };
const AHEAD_MS = 10 * 60_000;

/** Seconds at which a token was made. */
const issuedAt = (authorization: string): number =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()).iat;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('requests side by side learn it, and none counts as a refusal of the key', async () => {
  vi.stubGlobal('location', { href: 'https://desk.test/desk/' });
  const fetched = vi.fn(async (_url: string, { headers }: RequestInit) => {
    const serverMs = Date.now() - AHEAD_MS;
    const { authorization = '' } = headers as Record<string, string>;
    const isGood = issuedAt(authorization) * 1_000 <= serverMs + 60_000;
    const date = { date: new Date(serverMs).toUTCString() };
    return new Response(isGood ? '{"ok":true}' : '{}', {
      status: isGood ? 200 : 401,
      headers: date,
    });
  });
  vi.stubGlobal('fetch', fetched);
  const onRefused = vi.fn();
  const { createApi } = await import('../../../../src/serve/desk/api.ts');
  const api = createApi(KEY, onRefused);
  const paths = ['/state/', '/desk/', '/site/', '/posts/'];
  expect(await Promise.all(paths.map((path) => api.get(path)))).toEqual(
    paths.map(() => ({ ok: true })),
  );
  expect(onRefused).not.toHaveBeenCalled();
  await api.get('/state/');
  expect(fetched).toHaveBeenCalledTimes(2 * paths.length + 1);
});

test('a token that is prepared each minute is sent as it is until the next time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.stubGlobal('location', { href: 'https://desk.test/desk/' });
  const sent: number[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    sent.push(issuedAt((headers as Record<string, string>).authorization ?? ''));
    return new Response('{}');
  });
  const { createApi } = await import('../../../../src/serve/desk/api.ts');
  const api = createApi(KEY, () => undefined);
  await api.get('/state/');
  for (const second of [59, 119, 179, 239, 299]) {
    vi.setSystemTime(second * 1_000);
    await api.get('/state/');
    api.prepare();
  }
  // None was signed by a request.
  expect(sent).toEqual([0, 0, 0, 119, 179, 239]);
});

test('what is wrong with a property is said in words, not by its name', async () => {
  vi.stubGlobal('location', { href: 'https://desk.test/desk/' });
  const errors = [{ message: 'Validation error', context: 'target_url must be absolute: a_b c.' }];
  vi.stubGlobal('fetch', async () => Response.json({ errors }, { status: 422 }));
  const { createApi } = await import('../../../../src/serve/desk/api.ts');
  const sent = createApi(KEY, () => undefined).send('POST', '/webhooks/', {});
  await expect(sent).rejects.toThrow(/^Target address must be absolute: a_b c\.$/);
});

test('an answer that is not of Prepress names the address, and is no refusal of the key', async () => {
  vi.stubGlobal('location', { href: 'https://desk.test/blog/desk/' });
  vi.resetModules();
  const { createApi, saveFailure } = await import('../../../../src/serve/desk/api.ts');
  const html = (status: number) =>
    new Response('<p>', { status, headers: { 'content-type': 'text/html' } });
  const onRefused = vi.fn();
  const redirects = new Set<unknown>();
  const saidOf = async (answer: Response, ask: 'get' | 'download' = 'get'): Promise<unknown> => {
    vi.stubGlobal('fetch', async (_url: string, { redirect }: RequestInit) => {
      redirects.add(redirect);
      return answer;
    });
    return createApi(KEY, onRefused)
      [ask]('/desk/')
      .catch((error) => (saveFailure(error) as Error).message);
  };
  const other = (what: string) =>
    `Prepress did not answer at https://desk.test/blog/admin/, something else did (${what}). A proxy must forward this address, and all below it, unchanged. If it asks for a login, load this page again.`;
  for (const status of [200, 401, 403, 404]) {
    expect(await saidOf(html(status))).toBe(other(`${status}`));
  }
  expect(await saidOf(html(200), 'download')).toBe(other('200'));
  // Its status is 0, as browsers give a redirect that is not followed.
  expect([...redirects]).toEqual(['manual']);
  expect(await saidOf(Response.error())).toBe(other('a redirect'));
  expect(await saidOf(Response.json({ message: 'no route' }, { status: 404 }))).toBe(other('404'));
  for (const status of [502, 503, 504]) {
    expect(await saidOf(new Response('', { status }))).toMatch(
      `A proxy answered ${status}: Prepress does not answer it.`,
    );
  }
  expect(await saidOf(html(413))).toContain('client_max_body_size');
  expect(onRefused).not.toHaveBeenCalled();
});
