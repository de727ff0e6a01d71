// Targets in every form that HTTP has are answered as their path; no answer leads to a host that was sent.
import { expect, test } from 'vitest';
import { askAt } from '../../../matrix/ask.ts';
import { serve, signToken } from './harness.ts';

const FORMS = (path: string): string[] => [
  path,
  `http://evil.example${path}`,
  `HTTPS://evil.example:81${path}`,
  `http://user@evil.example${path}`,
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
];

test.each(['', '/blog'])('a redirect stays on this host at "%s"', async (base) => {
  const { origin, put, adminKey, contentKey } = await serve({ flags: { basePath: base } });
  put(`${base}/content/404.json`, '{}');
  put(`${base}/about/index.html`, 'about');
  put(`${base}/evil.example/index.html`, 'other');
  const send = askAt(Number(new URL(origin).port));
  const headers = { authorization: `Ghost ${signToken(adminKey, {})}` };
  const ask = (path: string) => send({ path, headers });
  const key = `?key=${contentKey}`;
  for (const [path, to] of [
    [`${base}/content/posts${key}`, `${base}/content/posts/${key}`],
    [`/ghost/api/v4/content/posts${key}`, `/ghost/api/v4/content/posts/${key}`],
    [`${base}/admin/posts?limit=1`, `${base}/admin/posts/?limit=1`],
    [`/ghost/api/admin/posts`, `/ghost/api/admin/posts/`],
    [`${base}/about`, `${base}/about/`],
    [`${base}/docs`, `${base}/docs/`],
  ] as const) {
    const doubled = /\/(?:content|admin)\//.test(path)
      ? [`/${path}`, `http://evil.example//${path}`]
      : [];
    for (const form of [...FORMS(path), ...doubled]) {
      const answer = await ask(form);
      expect([answer.status, answer.headers.location], form).toEqual([301, to]);
    }
  }
  const paths = [
    '//evil.example/..',
    '//evil.example',
    '//evil.example/about',
    '/\\evil.example',
    '/%5Cevil.example',
    '/%2Fevil.example',
    '/%2F/evil.example/about',
    '//evil.example/content/posts',
    '//evil.example/admin/posts',
    '//evil.example/docs',
    '/content//evil.example/posts',
  ];
  for (const path of paths.flatMap((one) => [one, `${base}${one}`, `http://evil.example${one}`])) {
    const { status, headers: sent } = await ask(path);
    expect([400, 404], path).toContain(status);
    expect(sent.location, path).toBeUndefined();
  }
});

test.each(['', '/blog'])('slashes before what programs ask are one, at "%s"', async (base) => {
  const { put, get, admin, contentKey, hookToken } = await serve({ flags: { basePath: base } });
  put(`${base}/content/404.json`, '{}');
  put(`${base}/content/posts/index.json`, '{}');
  put(`${base}/about/index.html`, 'about');
  const spellings = (path: string) => [`/${path}`, `//${path}`, path.replace(base, `${base}/`)];
  const statuses = async (path: string, ask = get): Promise<unknown[]> =>
    Promise.all(
      spellings(`${base}${path}`).map(async (one) => [
        (await ask(one, { redirect: 'manual' })).status,
        path,
      ]),
    );
  const asked: [status: number, path: string, ask?: typeof get][] = [
    [200, `/content/posts/?key=${contentKey}`],
    [200, `/ghost/api/v4/content/posts/?key=${contentKey}`],
    [404, '/content/.env'],
    [401, '/admin/members/'],
    [200, '/ghost/api/admin/members/', (path) => admin('GET', path)],
    [202, `/hooks/build/${hookToken}`, (path) => get(path, { method: 'POST' })],
    // Pages for people.
    ...['/desk/', '/docs/', '/about', '/about/'].map((path): [number, string] => [404, path]),
  ];
  for (const [status, path, ask] of asked)
    expect(await statuses(path, ask)).toEqual(Array(3).fill([status, path]));
  const members = [{ email: 'a@example.com' }];
  const made = await admin('POST', `/${base}/ghost/api/admin/members/`, { members });
  const { pathname } = new URL(made.headers.get('location') ?? '');
  expect([made.status, pathname.startsWith(`${base}/ghost/api/admin/members/`)]).toEqual([
    201,
    true,
  ]);
});

test('targets that are no path have none', async () => {
  const { origin, put } = await serve();
  put('index.html', 'home');
  const ask = askAt(Number(new URL(origin).port));
  expect((await ask({ path: 'http://evil.example' })).body.toString()).toBe('home');
  expect((await ask({ path: 'http://evil.example?x=/..' })).body.toString()).toBe('home');
  for (const method of ['GET', 'OPTIONS'])
    expect((await ask({ method, path: '*' })).status, method).toBe(404);
  expect((await ask({ path: 'evil.example:80' })).status).toBe(400);
});
