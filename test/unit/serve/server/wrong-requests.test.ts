// Requests as newcomers write them: each answer names what is wrong, with the value, and what to send.
import { expect, test } from 'vitest';
import { problemOf, serve } from './harness.ts';

type Wrong = readonly [request: string, body: object, says: RegExp];

const WRONG: readonly Wrong[] = [
  [
    'POST posts/',
    { posts: [{ title: 'A', status: 'live' }] },
    /status must be one of .*, got "live"/,
  ],
  [
    'POST posts/',
    { posts: [{ title: 'A', visibility: 'a b' }] },
    /one of public, [a-z, ]+, got "a b"\.$/,
  ],
  [
    'POST posts/',
    { posts: [{ title: 'A', published_at: '2026-13-01T00:00:00Z' }] },
    /got "2026-13-01T00:00:00Z"\.$/,
  ],
  [
    'POST posts/',
    { posts: [{ title: 'A', published_at: '01/02/2026' }] },
    /must be a date .*, got "01\/02\/2026"\.$/,
  ],
  ['POST posts/', { posts: [{ title: 'A', feature_image: 'a b.png' }] }, /, got "a b\.png"\.$/],
  [
    'POST posts/',
    { posts: [{ title: 'A', tags: [1] }] },
    /tags\.0 must be a string or an object\.$/,
  ],
  [
    'POST posts/',
    { posts: [{ title: 'A', tags: [{ name: 1 }] }] },
    /tags\.0\.name must be a string/,
  ],
  [
    'POST members/',
    { members: [{ email: 'a@example.com', newsletters: [{ name: 'News' }] }] },
    /newsletters\.0\.id is required/,
  ],
  ['POST members/', { members: [{ email: 'a@b.test', tiers: [{}] }] }, /tiers\.0\.id is required/],
  [
    'POST members/',
    { members: [{ email: 'a@b.test', labels: [{ title: 'VIP' }] }] },
    /^labels holds a label without a name\.$/,
  ],
  [
    'POST members/',
    { members: [{ email: 'a@b.test', labels: [{ slug: 'vip' }] }] },
    /^labels names a label that does not exist: vip\.$/,
  ],
  [
    'POST tiers/',
    { tiers: [{ name: 'Gold', benefits: ['Tea', { name: ' ' }] }] },
    /^benefits\.1 must not be empty/,
  ],
  [
    'POST posts/',
    { posts: [{ title: 'A', authors: [{ login: 'x' }] }] },
    /^authors holds an author without id, slug or email\.$/,
  ],
  [
    'POST webhooks/',
    { webhooks: [{ event: 'post.publish', target_url: 'https://1.1.1.1/' }] },
    /There is no event "post\.publish"\. Did you mean post\.published\?/,
  ],
  // The first alone would delete more than both.
  [
    'DELETE members/?filter=label:a&filter=subscribed:false',
    {},
    /filter was given 2 times: give it once, with "\+" between its conditions\.$/,
  ],
  ['POST keys/', { keys: [{ type: 'Admin', name: 'x' }] }, /type must be one of .*, got "Admin"/],
];

test('a value of a request that cannot be used is named', async () => {
  const { admin } = await serve();
  const differences: unknown[] = [];
  for (const [request, body, says] of WRONG) {
    const [method = '', path = ''] = request.split(' ');
    const { context } = await problemOf(await admin(method, `/admin/${path}`, body));
    if (!says.test(String(context))) differences.push({ request, body, context });
  }
  expect(differences).toEqual([]);
});

test('a body that is not JSON, and a hook with a wrong token, are told what to send', async () => {
  const { get, authorization } = await serve();
  const headers = { authorization: authorization(), 'content-type': 'text/plain' };
  const typed = await get('/admin/posts/', { method: 'POST', headers, body: '{"posts":[]}' });
  expect([typed.status, (await problemOf(typed)).message]).toEqual([
    415,
    'Send JSON with the header "Content-Type: application/json", and files as multipart/form-data.',
  ]);
  const hook = await get('/hooks/build/none/', { method: 'POST' });
  expect([hook.status, (await problemOf(hook)).context]).toEqual([
    401,
    expect.stringContaining('"prepress status --secrets" prints the address'),
  ]);
});

test('a compressed body is refused before it is read, naming its header', async () => {
  const { get, authorization } = await serve();
  const form = 'multipart/form-data; boundary=x';
  const asked = [
    ['gzip', 'tags', 'application/json', '"Content-Encoding: gzip"'],
    ['br, identity', 'posts', 'application/json', '"Content-Encoding: br, identity"'],
    ['deflate', 'images/upload', form, '"Content-Encoding: deflate"'],
    ['zstd', 'members/upload', form, '"Content-Encoding: zstd"'],
    ['Identity', 'tags', 'application/json', null],
    ['', 'tags', 'application/json', null],
  ] as const;
  const body = JSON.stringify({ tags: [{ name: 'New' }] });
  const wrong: unknown[] = [];
  for (const [coding, path, type, named] of asked) {
    const headers = { authorization: authorization(), 'content-type': type };
    const coded = { ...headers, 'content-encoding': coding };
    const answer = await get(`/admin/${path}/`, { method: 'POST', headers: coded, body });
    const message = (await problemOf(answer)).message ?? null;
    const sentence = named && `Send the body without ${named}: compressed bodies are not read.`;
    if (answer.status !== (named ? 415 : 201) || message !== sentence)
      wrong.push([coding, path, answer.status, message]);
  }
  const headers = { authorization: authorization(), 'content-encoding': 'gzip' };
  expect((await get('/admin/tags/', { headers })).status).toBe(200);
  expect(wrong).toEqual([]);
});
