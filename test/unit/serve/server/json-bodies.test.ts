// Bodies of too many values are refused before they are parsed; what stands within texts is no value.
import { beforeEach, expect, test } from 'vitest';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../../../../src/base/limits.ts';
import { type Served, serve } from './harness.ts';

let served: Served;
beforeEach(async () => {
  served = await serve();
});

const send = async (
  body: string | Buffer,
  root = 'posts',
): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${served.origin}/admin/${root}/?source=html`, {
    method: 'POST',
    body,
    headers: {
      authorization: served.authorization(),
      'content-type': 'application/json',
    },
  });
  return { status: response.status, text: await response.text() };
};

const post = (more: string): string => `{"posts":[{"title":"T"${more}}]}`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('values nest no deeper than the limit', async () => {
  // Three stand around it.
  expect((await send(post(`,"x":${nested(JSON_DEPTH_MAX - 3)}`))).status).toBe(201);
  const { status, text } = await send(post(`,"x":${nested(JSON_DEPTH_MAX - 2)}`));
  expect([status, text]).toEqual([400, expect.stringContaining('more than 100 deep')]);
  expect((await send(post(`,"x":${'{"a":'.repeat(1_000_000)}`))).text).toContain('100 deep');
});

test('there are no more values than the limit', async () => {
  const list = (count: number): string => post(`,"x":[${'0,'.repeat(count)}0]`);
  expect((await send(list(JSON_VALUES_MAX - 10))).status).toBe(201);
  const { status, text } = await send(list(JSON_VALUES_MAX));
  expect([status, text]).toEqual([400, expect.stringContaining('more than 50000 values')]);
  // Also beyond the first step, and between empty values.
  const late = `,"html":"${'a'.repeat(2_000_000)}","x":[${'{},'.repeat(JSON_VALUES_MAX)}{}]`;
  expect((await send(post(late))).status).toBe(400);
});

test('texts hold what they like', async () => {
  const html = `<p>${'[{,"\\'.repeat(200_000)}</p>`;
  const { status, text } = await send(JSON.stringify({ posts: [{ title: 'T', html }] }));
  expect(status).toBe(201);
  expect((JSON.parse(text) as { posts: { html: string }[] }).posts[0]?.html).toBe(html);
});

test('a body that is no JSON is refused with its place, and one with a byte-order mark is taken', async () => {
  expect((await send(`\ufeff${post('')}`)).status).toBe(201);
  const { text } = await send('{"posts":[\n  {"title":"T",}]}');
  expect(JSON.parse(text)).toMatchObject({
    errors: [{ context: 'Line 2, column 16: expected a name in double quotes.' }],
  });
});

test.each([
  ['half a body', '{"posts":[{"title":"'],
  ['a name that sets a prototype', '{"posts":[{"title":"T","__proto__":{}}]}'],
  ['other bytes than UTF-8', Buffer.from('{"posts":[{"title":"\xff"}]}', 'latin1')],
  ['UTF-16', Buffer.from('{"posts":[{"title":"T"}]}', 'utf16le')],
])('%s is 400', async (_what, body) => {
  expect((await send('')).status).toBe(422);
  for (const root of ['posts', 'members']) {
    const { status, text } = await send(body, root);
    expect([status, text]).toEqual([400, expect.stringContaining('"code":"UNEXPECTED_ERROR"')]);
  }
});
