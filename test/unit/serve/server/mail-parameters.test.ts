// What asks for mail over HTTP is answered 422 with one sentence, and nothing is stored.
import { expect, test } from 'vitest';
import { MAIL_TEXTS } from '../../../../src/serve/admin/posts/reject-newsletter-send.ts';
import { countOf, faultOf, problemOf, serve } from './harness.ts';

const MAIL_PARAMETERS = [...MAIL_TEXTS, 'send_email_when_published'];

test.each(['posts', 'pages'])('%s', async (root) => {
  const served = await serve();
  const post = { title: 'T', status: 'published' };
  for (const name of MAIL_PARAMETERS) {
    const value = name.startsWith('send') ? 'True' : 'weekly';
    const path = `/admin/${root}/?source=html&${name}=${value}`;
    const response = await served.admin('POST', path, { [root]: [post] });
    const { property, context } = await problemOf(response);
    expect([response.status, property]).toEqual([422, name]);
    expect(context).toBe(
      `${name} asks for mail, and Prepress sends no newsletters: leave it out. Nothing was saved.`,
    );
  }
  expect(countOf(served, 'posts')).toBe(0);
  const empty = MAIL_PARAMETERS.map((name) => `${name}=`).join('&');
  const made = await served.admin('POST', `/admin/${root}/?${empty}`, { [root]: [post] });
  expect(made.status).toBe(201);
  const [{ id }] = ((await made.json()) as Record<string, { id: string }[]>)[root] as [
    { id: string },
  ];
  const change = { title: 'New', updated_at: null };
  const path = `/admin/${root}/${id}/?newsletter=weekly`;
  const edited = await served.admin('PUT', path, { [root]: [change] });
  expect(await faultOf(edited)).toEqual([422, 'newsletter']);
});

test('a new member is mailed no link', async () => {
  const served = await serve();
  const add = (query: string): Promise<Response> =>
    served.admin('POST', `/admin/members/?${query}`, { members: [{ email: 'a@example.com' }] });
  for (const [query, name] of [
    ['send_email=true&email_type=signup', 'send_email'],
    ['send_email=1', 'send_email'],
    ['send_email=True', 'send_email'],
    ['send_email=yes', 'send_email'],
    ['send_email=always', 'send_email'],
    ['email_type=signin', 'email_type'],
  ] as const) {
    const response = await add(query);
    expect(await faultOf(response)).toEqual([422, name]);
  }
  expect(countOf(served, 'members')).toBe(0);
  expect((await add('send_email=false&email_type=signup')).status).toBe(201);
});
