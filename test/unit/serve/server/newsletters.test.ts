import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { checkRows } from '../../../helpers/check-rows.ts';
import { startMailServer } from '../../../helpers/mail-server.ts';
import { faultOf, type Json, problemOf, type Served, serve } from './harness.ts';

type Answer = { newsletters: Json[]; meta?: Json };

const HOUR = 3_600_000;

const save = (served: Served, path: string, newsletter: Json): Promise<Response> =>
  served.admin(path === '' ? 'POST' : 'PUT', `/admin/newsletters/${path}`, {
    newsletters: [newsletter],
  });

const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer;

const create = async (served: Served, newsletter: Json = {}): Promise<Json> => {
  const response = await save(served, '', { name: 'Weekly', ...newsletter });
  expect(response.status).toBe(201);
  return (await answerOf(response)).newsletters[0] ?? {};
};

const storedAddress = async (served: Served, id: unknown): Promise<unknown> =>
  (await answerOf(await served.admin('GET', `/admin/newsletters/${id}/`))).newsletters[0]
    ?.sender_email;

const linkIn = (text: string): string => {
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return link.slice(new URL(link).origin.length);
};

const serveWithMail = async (): Promise<
  Served & { readonly received: Awaited<ReturnType<typeof startMailServer>>['received'] }
> => {
  const { url, received } = await startMailServer();
  return { ...(await serve({ flags: { smtp: url } })), received };
};

test('a new sender address waits for the mailed link, the rest is saved at once', async () => {
  const served = await serveWithMail();
  const { id } = await create(served);
  const response = await save(served, `${id}/`, {
    sender_email: 'desk@news.example',
    sender_name: 'Desk',
    title_alignment: 'left',
    uuid: 'mine',
  });
  const { newsletters, meta } = await answerOf(response);
  expect(meta).toEqual({ sent_email_verification: ['sender_email'] });
  expect(newsletters[0]).toMatchObject({
    sender_email: null,
    sender_name: 'Desk',
    title_alignment: 'left',
  });
  expect(newsletters[0]?.uuid).not.toBe('mine');
  expect(served.received).toMatchObject([
    { from: 'noreply@news.example', to: ['desk@news.example'] },
  ]);
  const [mail] = served.received;
  expect(mail?.text).toContain('Subject: Verify email address');
  const link = linkIn(mail?.text ?? '');
  const token = link.slice(link.indexOf('=') + 1);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(readFileSync(served.path).includes(token)).toBe(false);
  const head = await served.get(link, { method: 'HEAD' });
  expect(head.status).toBe(405);
  expect(await storedAddress(served, id)).toBe(null);
  const page = await served.get(link);
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
  expect(await page.text()).toContain('Address verified');
  expect(await storedAddress(served, id)).toBe('desk@news.example');
  expect(await (await served.get(link)).text()).toContain('Already verified');
  const same = await save(served, `${id}/`, { sender_email: 'desk@news.example' });
  expect(await answerOf(same)).not.toHaveProperty('meta');
  expect(served.received).toHaveLength(1);
});

test('on create too; null clears at once and ends what is open', async () => {
  const served = await serveWithMail();
  const { id } = await create(served, { sender_email: 'a@news.example' });
  expect(await storedAddress(served, id)).toBe(null);
  await served.get(linkIn(served.received[0]?.text ?? ''));
  expect(await storedAddress(served, id)).toBe('a@news.example');
  await save(served, `${id}/`, { sender_email: 'b@news.example' });
  const cleared = await answerOf(await save(served, `${id}/`, { sender_email: '' }));
  expect(cleared).toMatchObject({ newsletters: [{ sender_email: null }] });
  expect(cleared).not.toHaveProperty('meta');
  const late = await served.get(linkIn(served.received[1]?.text ?? ''));
  expect([late.status, await storedAddress(served, id)]).toEqual([410, null]);
  const used = await served.get(linkIn(served.received[0]?.text ?? ''));
  expect([used.status, await storedAddress(served, id)]).toEqual([410, null]);
});

test('a link ends with a newer one, and after a day', async () => {
  const served = await serveWithMail();
  const { id } = await create(served);
  for (const at of [0, 1]) await save(served, `${id}/`, { sender_email: `n${at}@news.example` });
  const links = served.received.map(({ text }) => linkIn(text));
  expect((await served.get(links[0] ?? '')).status).toBe(410);
  served.passTime(24 * HOUR);
  expect((await served.get(links[1] ?? '')).status).toBe(410);
  expect((await served.get('/newsletters/verify/?token=none')).status).toBe(404);
  expect((await served.get('/newsletters/verify/')).status).toBe(404);
  expect(await storedAddress(served, id)).toBe(null);
});

test('clients verify with PUT, and are told why not', async () => {
  const served = await serveWithMail();
  const { id } = await create(served, { sender_email: 'a@news.example' });
  const link = linkIn(served.received[0]?.text ?? '');
  const token = link.slice(link.indexOf('=') + 1);
  const verify = (body: unknown): Promise<Response> =>
    served.admin('PUT', '/admin/newsletters/verifications/', body);
  const expected = {
    newsletters: [{ id, sender_email: 'a@news.example' }],
    meta: { email_verified: 'sender_email' },
  };
  expect(await answerOf(await verify({ token }))).toMatchObject(expected);
  expect(await answerOf(await verify({ token }))).toMatchObject(expected);
  await save(served, `${id}/`, { sender_email: null });
  const ended = await verify({ token });
  expect([ended.status, (await problemOf(ended)).code]).toEqual([422, 'TOKEN_EXPIRED']);
  expect(await problemOf(await verify({ token: 'none' }))).toMatchObject({
    message: 'Invalid token provided',
    code: 'INVALID_TOKEN',
    context: null,
  });
  for (const body of [{}, { token: 1 }, [], undefined]) {
    expect([400, 422]).toContain((await verify(body)).status);
  }
  const stranger = await served.get('/admin/newsletters/verifications/', { method: 'PUT' });
  expect(stranger.status).toBe(401);
});

test('at most five mails an hour to one address; the sixth stores nothing', async () => {
  const served = await serveWithMail();
  const [one, two] = [await create(served), await create(served, { name: 'Other' })];
  for (let at = 0; at < 5; at += 1) {
    const { id } = at % 2 === 0 ? one : two;
    const address = at % 2 === 0 ? 'a@news.example' : 'A@NEWS.example';
    expect((await save(served, `${id}/`, { sender_email: address })).status).toBe(200);
    served.passTime(60_000);
  }
  const tooMany = { sender_email: 'a@news.example', sender_name: 'Not stored' };
  const refused = await save(served, `${one.id}/`, tooMany);
  expect([refused.status, await problemOf(refused)]).toMatchObject([
    429,
    { type: 'TooManyRequestsError', property: 'sender_email' },
  ]);
  expect(served.received).toHaveLength(5);
  const { newsletters } = await answerOf(
    await served.admin('GET', `/admin/newsletters/${one.id}/`),
  );
  expect(newsletters[0]?.sender_name).toBe(null);
  expect((await save(served, '', { name: 'New', sender_email: 'a@news.example' })).status).toBe(
    429,
  );
  served.passTime(HOUR);
  expect((await save(served, `${one.id}/`, tooMany)).status).toBe(200);
});

test('what is refused changes nothing', async () => {
  const served = await serve();
  await create(served, { name: 'Other' });
  const { id } = await create(served);
  await checkRows(
    [
      [{ name: '' }, 'name'],
      [{ name: 'other' }, 'name'],
      [{ name: 'x'.repeat(192) }, 'name'],
      [{ status: 'paused' }, 'status'],
      [{ title_font_category: 'mono' }, 'title_font_category'],
      [{ body_font_category: 'x' }, 'body_font_category'],
      [{ title_alignment: 'right' }, 'title_alignment'],
      [{ button_corners: 'x' }, 'button_corners'],
      [{ image_corners: 'pill' }, 'image_corners'],
      [{ link_style: 'x' }, 'link_style'],
      [{ show_badge: 'yes' }, 'show_badge'],
      [{ sort_order: 1.5 }, 'sort_order'],
      [{ sender_reply_to: 'nobody' }, 'sender_reply_to'],
      [{ sender_email: 'x@y' }, 'sender_email'],
      [{ sender_email: 'a@b.example, c@d.example' }, 'sender_email'],
      [{ description: 'x'.repeat(2001) }, 'description'],
    ],
    async ([change, property]) => {
      const response = await save(served, `${id}/`, { sender_name: 'Not stored', ...change });
      expect(await faultOf(response)).toEqual([422, property]);
      const { newsletters } = await answerOf(
        await served.admin('GET', `/admin/newsletters/${id}/`),
      );
      expect(newsletters[0]?.sender_name).toBe(null);
    },
  );
});

test('lists in their order, archived ones too, with made slugs', async () => {
  const served = await serve();
  await create(served, { name: 'A b', status: 'archived' });
  served.passTime(1000);
  await create(served, { name: 'a-B', header_image: '/content/images/x.png' });
  const { newsletters, meta } = await answerOf(await served.admin('GET', '/admin/newsletters/'));
  expect(newsletters).toMatchObject([
    { slug: 'a-b', sort_order: 0, status: 'archived' },
    { slug: 'a-b-2', sort_order: 0, header_image: 'https://news.example/content/images/x.png' },
  ]);
  expect(meta).toMatchObject({ pagination: { total: 2 } });
  const filtered = await served.admin(
    'GET',
    '/admin/newsletters/?filter=status:active&fields=slug',
  );
  expect((await answerOf(filtered)).newsletters).toEqual([{ slug: 'a-b-2' }]);
});

test('without a mail server the mail is a file with the link in one line, and the log names the file', async () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const served = await serve({ logger });
  const { id } = await create(served, { sender_email: 'a@news.example' });
  const [file = ''] = readdirSync(join(served.folder, 'mail'));
  const path = join(served.folder, 'mail', file);
  expect(file).toMatch(/\.eml$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const mail = readFileSync(path, 'utf8');
  expect(mail).toContain('To: a@news.example');
  const [link = '', token = ''] = /https?:\S+[?]token=(\S+)/.exec(mail) ?? [];
  const log = lines.join('');
  expect(log).toContain(path);
  expect(log).not.toContain('a@news.example');
  expect(log).not.toContain(token);
  expect((await served.get(link.slice(served.origin.length))).status).toBe(200);
  expect(await storedAddress(served, id)).toBe('a@news.example');
});

test.each([
  ['is not taken', true],
  ['cannot be kept as a file', false],
])('a mail that %s is said so, stores nothing, and shows no address and no path', async (...is) => {
  const [, isRefused] = is;
  const { url } = await startMailServer({ isRefusing: true });
  const served = await serve({ flags: isRefused ? { smtp: url } : {} });
  if (!isRefused) writeFileSync(join(served.folder, 'mail'), 'not a folder');
  const { id } = await create(served);
  const change = { sender_email: 'a@news.example', sender_name: 'Not stored' };
  const response = await save(served, `${id}/`, change);
  const problem = await problemOf(response);
  expect([response.status, problem.type]).toEqual([503, 'EmailError']);
  expect(JSON.stringify(problem)).not.toContain('news.example');
  expect(JSON.stringify(problem)).not.toContain(served.folder);
  const read = await answerOf(await served.admin('GET', `/admin/newsletters/${id}/`));
  expect(read.newsletters).toMatchObject([{ sender_name: null }]);
});
