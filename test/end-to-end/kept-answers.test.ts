// The companion server answers an address again from memory: with the same headers and bytes, and never a
// byte or a key longer than they are good for.
import { expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { openShell, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

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
