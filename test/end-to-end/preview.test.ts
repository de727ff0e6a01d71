// The page of a post before readers have it: what the server renders for one record is the page that is placed once it is
// published, byte for byte, and nothing of a draft is placed.
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContent } from '../../src/content/client/open-content.ts';
import { eventually } from '../helpers/eventually.ts';
import { runPrepress } from '../helpers/run-prepress.ts';
import { type Serving, startServing } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

type Preview = { readonly preview: { readonly html: string | null } };
type Found = Readonly<Record<string, readonly [{ readonly id: string }]>>;

const suite = suiteFolder();
let serving: Serving;

beforeAll(async () => {
  const environment = { PREPRESS_PREVIEW_LINKS: 'on' };
  serving = await startServing(suite.path, { args: ['--sample'], environment });
});
afterAll(async () => {
  await serving.end();
  suite.remove();
});

const idOf = async (root: 'posts' | 'pages', slug: string): Promise<string> => {
  const found = (await serving.admin('GET', `/${root}/?filter=slug:${slug}`)) as Found;
  return found[root]?.[0].id ?? '';
};

const previewOf = async (root: 'posts' | 'pages', id: string): Promise<string> =>
  ((await serving.admin('GET', `/${root}/${id}/preview/`)) as Preview).preview.html ?? '';

test('of a published page it is the page that stands', async () => {
  const file = join(serving.folder, 'output/about/index.html');
  await eventually(async () =>
    expect(await previewOf('pages', await idOf('pages', 'about'))).toBe(readFileSync(file, 'utf8')),
  );
});

test('a draft has the page that it will have, its gated part included, and none is placed', async () => {
  const html = '<p>Before.</p><!--members-only--><p>For members.</p>';
  const draft = { title: 'Not yet', html, visibility: 'paid', tags: ['Tides'] };
  const made = (await serving.admin('POST', '/posts/?source=html', { posts: [draft] })) as Found;
  const page = await previewOf('posts', made.posts?.[0].id ?? '');
  for (const part of ['<h1 dir="auto">Not yet</h1>', '<p>For members.</p>', '/tag/tides/']) {
    expect(page).toContain(part);
  }
  expect(page).not.toContain('class="gate"');
  expect((await serving.get('/not-yet/')).status).toBe(404);
});

test('a link that the command prints shows that page to who has no key, until all are revoked', async () => {
  const link = async (...args: string[]): Promise<string> => {
    const command = ['preview', 'not-yet', ...args, '--json'];
    const { stdout } = await runPrepress(serving.folder, command, {
      environment: { PREPRESS_PREVIEW_LINKS: 'on', PREPRESS_ADMIN_URL: serving.url },
    });
    return (JSON.parse(stdout) as { url: string }).url;
  };
  const look = async (url: string) => {
    const response = await fetch(url, { headers: { accept: 'text/html' } });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const [gated, whole] = [await link('--hours', '2'), await link('--ungated')];
  const page = await look(gated);
  expect(page.status).toBe(200);
  expect(page.html).toContain('<p>Before.</p>');
  expect(page.html).not.toContain('For members.');
  expect((await look(whole)).html).toContain('<p>For members.</p>');
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("script-src 'sha256-"),
  });
  await runPrepress(serving.folder, ['preview', '--revoke']);
  const ended = await look(whole);
  expect([ended.status, ended.html]).toEqual([403, expect.stringContaining('ask for a new one')]);
  const token = new URL(whole).searchParams.get('token') ?? '-';
  expect(serving.log()).not.toContain(token.split('.').at(-1));
});

test('what a client reads of all changes has neither drafts nor gated text, and needs the key', async () => {
  const html = '<p>Open.</p><!--members-only--><p>For members.</p>';
  const post = { title: 'Paid', html, visibility: 'paid', status: 'published' };
  await serving.admin('POST', '/posts/?source=html', { posts: [post] });
  const { sync } = openContent(serving.url, { contentKey: serving.contentKey });
  const { token } = await sync();
  const delta = await eventually(async () => {
    const found = await sync();
    expect(found.posts.upserts.map(({ slug }) => slug)).toContain('paid');
    return found;
  }, 'the post that is published');
  expect(JSON.stringify(delta)).toContain('<p>Open.</p>');
  expect(JSON.stringify([delta, token])).not.toMatch(/For members\.|not-yet|Not yet/);
  await expect(openContent(serving.url).sync()).rejects.toThrow('is not served');
});

test('a post that is not there has none', async () => {
  const path = `/posts/${'0'.repeat(24)}/preview/`;
  await expect(serving.admin('GET', path)).rejects.toThrow(/404/);
});

test('pages that cannot be rendered are no fault of the server, and no place of a file is told', async () => {
  const id = await idOf('pages', 'about');
  const settings = join(serving.folder, 'output/content/settings/index.json');
  renameSync(settings, `${settings}.away`);
  try {
    const refused = previewOf('pages', id);
    await expect(refused).rejects.toThrow(/422.*cannot be rendered.*prepress build/s);
    await expect(refused).rejects.not.toThrow(serving.folder);
  } finally {
    renameSync(`${settings}.away`, settings);
  }
});
