// The companion server answers an address again from memory: with the same headers and bytes, and never a
// byte or a key longer than they are good for.
import { expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, serve } from '../helpers/serve.ts';
import { unpack } from '../helpers/sidecars.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { askAt } from '../matrix/ask.ts';

const headersOf = ({ headers }: Response): Record<string, string> => {
  const own = ['x-request-id', 'date'];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
};

test('an answer given again is the answer that was given', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  const { get, contentKey } = await serve(folder);
  const url = `/content/posts/?key=${contentKey}&include=authors`;
  const first = await get(url);
  const again = await get(url, { headers: { 'x-request-id': 'mine' } });
  expect(headersOf(again)).toEqual(headersOf(first));
  expect(again.headers.get('x-request-id')).toBe('mine');
  expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await again.text()).toBe(await first.text());
  const known = await get(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect(known.status).toBe(304);
  const head = await get(url, { method: 'HEAD' });
  expect(await head.text()).toBe('');
  expect((await get(`${url}x`)).status).toBe(200);
  expect((await get(`/content/posts/?key=${contentKey.slice(1)}`)).status).toBe(401);
});

test('an answer is given again only to who takes its encoding', async () => {
  const folder = temporaryFolder();
  const environment = { PREPRESS_PRECOMPRESS: 'gzip,br' };
  await prepress(folder, ['init']);
  const { url, contentKey } = await serve(folder, { environment });
  const ask = askAt(Number(new URL(url).port));
  const path = `/content/posts/?key=${contentKey}`;
  const plain = (await ask({ path })).body.toString();
  const asked = [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['', undefined],
  ] as const;
  for (const [accept, encoding] of [...asked, ...asked]) {
    const answer = await ask({ path, headers: { 'accept-encoding': accept } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    const ending = encoding === 'br' ? '.br' : '.gz';
    const body = encoding === undefined ? answer.body : unpack(answer.body, ending);
    expect(body.toString()).toBe(plain);
  }
});

test('a kept answer ends with its key and with its build', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  const { get, contentKey } = await serve(folder);
  const shell = openShell(folder);
  const url = `/content/tags/?key=${contentKey}`;
  for (const name of ['One', 'Two', 'Three']) {
    await get(url);
    shell.prepare('UPDATE tags SET name = ? WHERE rowid = 1').run(name);
    // Another program builds: this server finds it done.
    await prepress(folder, ['build', '--site-url', 'http://localhost:4000']);
    expect(await (await get(url)).text()).toContain(`"${name}"`);
  }
  shell.exec("UPDATE api_keys SET revoked_at = 1 WHERE type = 'content'");
  expect((await get(url)).status).toBe(401);
});
