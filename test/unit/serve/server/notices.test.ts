// Pages that the server itself shows: errors in a browser, and unsubscribing with its way back. With the publication's
// name and colour, and nothing of it as markup.
import { expect, test } from 'vitest';
import { messageStyle } from '../../../../src/serve/server/pages/message-style.ts';
import { type Served, serve } from './harness.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const HOSTILE = '<script>alert("x")</script>&amp;';

const setting = (served: Served, key: string, value: string): Promise<Response> =>
  served.admin('PUT', '/admin/settings/', { settings: [{ key, value }] });

test('a browser gets errors as a page, and a program as JSON', async () => {
  const served = await serve({ flags: { authFailuresMax: 1_000_000 } });
  const { get } = served;
  expect((await setting(served, 'title', HOSTILE)).status).toBe(200);
  await setting(served, 'accent_color', '#ffe08a');
  served.put('content/manifest.json', '{}');
  const cases: [path: string, status: number, init?: RequestInit][] = [
    ['/nothing/', 404],
    ['/admin/posts/', 401],
    ['/admin/nothing/', 404],
    ['/content/posts/', 403],
    [`/content/nothing/?key=${served.contentKey}`, 404],
    ['/desk/none.js', 404],
    ['/hooks/build/none/', 401, { method: 'POST' }],
    ['/%zz', 400],
  ];
  for (const [path, status, init] of cases) {
    const page = await get(path, { ...init, headers: BROWSER });
    expect([path, page.status]).toEqual([path, status]);
    expect([path, page.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const html = await page.text();
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp;');
    expect(html).not.toContain('<script');
    expect(html).toContain('background:#ffe08a;color:#000');
    for (const accept of ['*/*', 'application/json, text/html', 'application/json']) {
      const json = await get(path, { ...init, headers: { accept } });
      expect([path, json.status]).toEqual([path, status]);
      expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    }
  }
});

test('buttons can be read on any accent colour, and only a colour is one', () => {
  expect(messageStyle('#000')).toContain('background:#000;color:#fff');
  expect(messageStyle('#FFFFFF')).toContain('background:#FFFFFF;color:#000');
  expect(messageStyle('red;}body{display:none')).not.toContain('display:none');
});

test('unsubscribing says what ended, and can be undone by who did it alone', async () => {
  const served = await serve();
  const names = ['Weekly & more', 'Daily'];
  for (const name of names)
    await served.admin('POST', '/admin/newsletters/', { newsletters: [{ name }] });
  const add = async (email: string): Promise<{ id: string; unsubscribe_url: string }> => {
    const answer = await served.admin('POST', '/admin/members/', { members: [{ email }] });
    const { members } = (await answer.json()) as {
      members: { id: string; unsubscribe_url: string }[];
    };
    return members[0] ?? { id: '', unsubscribe_url: '' };
  };
  const member = await add('a@example.com');
  const other = await add('b@example.com');
  const pathOf = ({ unsubscribe_url }: typeof member): string => {
    const { pathname, search } = new URL(unsubscribe_url);
    return `${pathname}${search}`;
  };
  const newslettersOf = async ({ id }: typeof member): Promise<string[]> => {
    const answer = await served.admin('GET', `/admin/members/${id}/?include=newsletters`);
    const { members } = (await answer.json()) as { members: { newsletters: { name: string }[] }[] };
    return (members[0]?.newsletters ?? []).map(({ name }) => name).sort();
  };
  const post = (who: typeof member, body = ''): Promise<Response> =>
    served.get(pathOf(who), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const before = await newslettersOf(member);
  expect(before).toEqual([...names].sort());
  const html = await (await post(member)).text();
  for (const name of ['Weekly &amp; more', 'Daily']) expect(html).toContain(name);
  expect(await newslettersOf(member)).toEqual([]);
  const [, undo = ''] = /name="undo" value="([^"]+)"/.exec(html) ?? [];
  const [ids = '', key = ''] = undo.split('.');
  const form = new URLSearchParams({ undo }).toString();
  expect(await (await post(member)).text()).not.toContain('name="undo"');
  // Of another member, of other newsletters, of another key.
  expect((await post(other, form)).status).toBe(400);
  for (const wrong of [`${ids.split(',')[0]}.${key}`, `${ids}.${'0'.repeat(64)}`, ids, '']) {
    expect((await post(member, `undo=${wrong}`)).status).toBe(400);
  }
  expect(await newslettersOf(member)).toEqual([]);
  const back = await post(member, form);
  expect(await back.text()).toContain('Subscribed again');
  expect(await newslettersOf(member)).toEqual(before);
  // The one-click POST of a mail program only unsubscribes.
  await post(member, 'List-Unsubscribe=One-Click');
  expect(await newslettersOf(member)).toEqual([]);
});
