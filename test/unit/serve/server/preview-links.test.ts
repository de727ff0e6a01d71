// Links to what is not published: what a token shows, and that nothing else opens it.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretBox } from '../../../../src/publication/store/access/secrets.ts';
import {
  createPreviewLink,
  revokePreviewLinks,
} from '../../../../src/serve/admin/posts/preview-links.ts';
import { createLogger } from '../../../../src/serve/server/log/logger.ts';
import { bodyOf, type Json, type Served, serve } from './harness.ts';

const HOUR_MS = 3_600_000;
const BLOCK =
  '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free"--><p>Block.</p><!--kg-gated-block:end-->';
const BODY = `<p>For all.</p>${BLOCK}<!--members-only--><p>For members.</p>`;

const draftIn = async ({ admin }: Served, root = 'posts'): Promise<Json> => {
  const draft = { title: 'Not yet', html: BODY, visibility: 'paid', tags: ['Tides'] };
  const made = await admin('POST', `/admin/${root}/?source=html`, { [root]: [draft] });
  return (await bodyOf(made))[root]?.[0] ?? {};
};

/** Its address without the token, and the token. */
const linkTo = async (served: Served, post: Json, asked: Json = {}, root = 'posts') => {
  const made = await served.admin('POST', `/admin/${root}/${post.id}/preview/`, { preview: asked });
  const { preview } = (await made.json()) as { preview: Record<string, string> };
  const { url = '', token = '' } = preview;
  expect(made.status).toBe(201);
  expect(url).toBe(`${served.origin}/content/${root}/preview/${post.uuid}/page/?token=${token}`);
  return { path: `/content/${root}/preview/${post.uuid}/`, token, expiresAt: preview.expires_at };
};

const serveLinks = (): Promise<Served> => serve({ flags: { previewLinks: 'on' } });

test('a token opens the document of its record, gated unless it says otherwise, and nobody keeps it', async () => {
  const served = await serveLinks();
  for (const root of ['posts', 'pages']) {
    const draft = await draftIn(served, root);
    const { path, token, expiresAt } = await linkTo(served, draft, {}, root);
    expect(expiresAt).toBe('2026-03-01T13:00:00.000Z');
    const response = await served.get(`${path}?include=tags&token=${token}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-type': 'application/json; charset=utf-8',
      'referrer-policy': 'no-referrer',
    });
    const [gated] = (await bodyOf(response))[root] ?? [];
    expect(gated).toMatchObject({
      ...{ id: draft.id, title: 'Not yet', visibility: 'paid', access: false },
      ...{ html: '<p>For all.</p>', primary_tag: { name: 'Tides' } },
    });
    const whole = await linkTo(served, draft, { ungated: true, hours: 2 }, root);
    const headers = { authorization: `Bearer ${whole.token}` };
    const [shown] = (await bodyOf(await served.get(path, { headers })))[root] ?? [];
    expect(shown).toMatchObject({ visibility: 'paid', access: true, html: BODY });
    expect(Object.keys(gated ?? {})).toEqual([...Object.keys(shown ?? {}), 'tags', 'primary_tag']);
  }
});

test('whatever is wrong with a token has one answer', async () => {
  const served = await serveLinks();
  const { context, contentKey, adminKey } = served;
  const [post, other] = [await draftIn(served), await draftIn(served)];
  const { path, token } = await linkTo(served, post);
  const [scope, endsAt, mac] = token.split('.');
  const elsewhere = await createPreviewLink(
    { ...context, secretBox: openSecretBox(join(served.folder, 'another.key')) },
    { previewLinks: 'on' },
    { type: 'post', id: String(post.id), hours: 1, base: '', isUngated: false },
  );
  const brief = await linkTo(served, post);
  const asked: Record<string, string> = {
    none: path,
    guessed: `${path}?token=gated.${endsAt}.${'A'.repeat(43)}`,
    'without its signature': `${path}?token=${scope}.${endsAt}.`,
    'made ungated': `${path}?token=whole.${endsAt}.${mac}`,
    'made longer': `${path}?token=gated.${Number(endsAt) + 1}.${mac}`,
    'of another post': `${path.replace(String(post.uuid), String(other.uuid))}?token=${token}`,
    'of a post, for a page': `${path.replace('posts', 'pages')}?token=${token}`,
    'of no post': `${path.replace(String(post.uuid), 'none')}?token=${token}`,
    'of another publication': `${path}?token=${elsewhere.token}`,
    'a content key': `${path}?key=${contentKey}&token=${contentKey}`,
    'an admin key': `${path}?token=${adminKey}`,
  };
  const answers = new Set<string>();
  const refuse = async (name: string, address: string): Promise<void> => {
    for (const page of ['', 'page/']) {
      const response = await served.get(
        address.replace('/?', `/${page}?`).replace(/\/$/, `/${page}`),
      );
      const text = (await response.text()).replace(/"id":"[0-9a-f-]{36}"/, '');
      expect([name, response.status]).toEqual([name, 403]);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      answers.add(`${response.headers.get('cache-control')} ${text}`);
    }
  };
  for (const [name, address] of Object.entries(asked)) await refuse(name, address);
  expect((await served.get(`${path}?token=${token}`)).status).toBe(200);
  served.passTime(HOUR_MS);
  await refuse('expired', `${path}?token=${token}`);
  await refuse('expired', `${path}?token=${brief.token}`);
  const fresh = await linkTo(served, post);
  expect((await served.get(`${path}?token=${fresh.token}`)).status).toBe(200);
  await revokePreviewLinks(context);
  await refuse('revoked', `${path}?token=${fresh.token}`);
  expect((await served.get(`${path}?token=${(await linkTo(served, post)).token}`)).status).toBe(
    200,
  );
  expect(answers.size).toBe(1);
});

test('no log has a token, of a link that works or fails', async () => {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => void lines.push(line) });
  const served = await serve({ flags: { previewLinks: 'on' }, logger });
  const { path, token } = await linkTo(served, await draftIn(served));
  await served.get(`${path}?token=${token}`);
  served.shell.exec("UPDATE posts SET created_at = 'never'");
  expect((await served.get(`${path}?token=${token}`)).status).toBe(500);
  expect(lines.join('')).toMatch(/request failed/);
  expect(lines.filter((line) => line.includes('/preview/'))).toHaveLength(3);
  expect(lines.join('')).not.toContain(token.split('.').at(-1));
});

test('they are off unless asked for, and may lead to another site', async () => {
  const off = await serve();
  const post = await draftIn(off);
  const made = await off.admin('POST', `/admin/posts/${post.id}/preview/`, { preview: {} });
  expect(made.status).toBe(422);
  expect((await off.get(`/content/posts/preview/${post.uuid}/`)).status).toBe(403);
  const previewLinks = 'https://example.com/api/preview?uuid={uuid}&type={type}&token={token}';
  const link = await createPreviewLink(
    off.context,
    { previewLinks },
    {
      ...{ type: 'post', id: String(post.id), hours: 1, base: '', isUngated: false },
    },
  );
  expect(link.url).toBe(
    `https://example.com/api/preview?uuid=${post.uuid}&type=post&token=${link.token}`,
  );
});
