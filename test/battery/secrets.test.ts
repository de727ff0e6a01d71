// A database full of marked secrets is imported, edited and built: no mark may stand in any byte or
// name below output/, nor in a line that a command or the server writes. What was public and is
// withdrawn must leave the output too. Marks of public text are found all the while: the search works.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { loadDriver, type SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { openSecretBox } from '../../src/publication/store/access/secrets.ts';
import { openStore } from '../../src/publication/store/open-store.ts';
import { createKey, findShownKey } from '../../src/serve/admin/keys/keys.ts';
import { createWebhook } from '../../src/serve/admin/keys/webhooks.ts';
import { createPost, deletePost, editPost } from '../../src/serve/admin/posts/posts.ts';
import type { UseCaseContext } from '../../src/serve/admin/use-case-context.ts';
import { createMarkedPublication, type MarkedPublication } from '../helpers/marked-publication.ts';
import { createMarks } from '../helpers/marks.ts';
import { runPrepress } from '../helpers/run-prepress.ts';
import { serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const marks = createMarks();
const HTML = { sourceHtml: true };

let folder = '';
/** Every line that the commands have written. */
const lines: string[] = [];

const run = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
  const { code, stdout, stderr } = await runPrepress(folder, args);
  lines.push(stdout, stderr);
  return { code, said: stdout + stderr };
};

const withDatabase = async (
  work: (shell: SqliteConnection, context: UseCaseContext) => Promise<void> | void,
): Promise<void> => {
  const path = join(folder, 'data/publication.db');
  const store = await openStore(path);
  const shell = new (loadDriver())(path);
  try {
    await work(shell, {
      store,
      clock: { now: () => Date.now() },
      secretBox: openSecretBox(join(folder, 'data/secret.key')),
      site: () => ({ siteUrl: 'https://site.test' }),
      vetTarget: async () => null,
      webhookEvents: ['site.changed', 'post.edited'],
    });
  } finally {
    shell.close();
    await store.close();
  }
};

const EXPORT_TIME = '2026-01-01T00:00:00.000Z';

/** An export with secrets in it, and rows that cannot be taken. */
const markedExport = (): unknown => {
  const of = (label: string): string => marks.secret(`export: ${label}`);
  const [created_at, uuid] = [EXPORT_TIME, '6f0f7d2e-8d6c-4f5c-9d3a-0a2f5a1b4c5d'];
  const draft = { status: 'draft', type: 'post', visibility: 'public', created_at, uuid };
  const user = { name: of('name'), slug: of('slug'), email: `${of('mail')}@example.com` };
  const setting = { group: 'core', type: 'string', created_at };
  const data = {
    posts: [
      { ...draft, id: createId(), title: of('title'), slug: of('slug'), html: of('html') },
      { ...draft, id: createId(), title: of('bad row'), slug: of('slug'), created_at: of('time') },
    ],
    users: [
      { ...user, id: createId(), password: of('password'), created_at },
      { ...user, id: 'no id', password: of('password') },
    ],
    settings: ['members_email_auth_secret', 'ghost_public_key', 'title'].map((key) => ({
      ...setting,
      ...{ id: createId(), key, value: key === 'title' ? 'A title' : of(key) },
    })),
  };
  return { db: [{ meta: { exported_on: 1, version: '6.65.0' }, data }] };
};

/** A public record or text, and how it is withdrawn. */
type Withdrawal = {
  readonly labels: readonly string[];
  readonly withdraw: (shell: SqliteConnection, context: UseCaseContext) => unknown;
};

const bySql =
  (sql: string, ...values: unknown[]): Withdrawal['withdraw'] =>
  (shell) =>
    shell.prepare(sql).run(...values);

/** Plants public records that will be withdrawn; the posts are named after what will happen. */
const plantWithdrawals = ({ insert, post, tag }: MarkedPublication): Withdrawal[] => {
  const publicPost = (label: string, row: Record<string, unknown> = {}) => {
    const labels = ['title', 'slug', 'html', 'feature_image', 'codeinjection_foot'];
    const shown = (column: string): string => marks.shown(`${label}: ${column}`);
    const text = Object.fromEntries(labels.map((column) => [column, shown(column)]));
    const id = post({ ...text, html: `<p>${text.html}</p>`, ...row });
    insert('posts_meta', { post_id: id, og_title: shown('og_title') });
    tag(id, { name: shown('tag name'), slug: shown('tag slug') });
    const tx = insert('users', { name: shown('author name'), slug: shown('author slug') });
    insert('posts_authors', { post_id: id, author_id: tx, sort_order: 1 });
    const all = [...labels, 'og_title', 'tag name', 'tag slug', 'author name', 'author slug'];
    return { id, labels: all.map((column) => `${label}: ${column}`), slug: text.slug ?? '' };
  };
  const removed = publicPost('deleted by SQL');
  const deleted = publicPost('deleted by a use case', { type: 'page' });
  const drafted = publicPost('made a draft', { type: 'page' });
  const delayed = publicPost('scheduled');
  const mailed = publicPost('sent');
  const letter = publicPost('made e-mail only');
  const commanded = publicPost('unpublished by command');
  const gated = publicPost('gated');
  const cut = publicPost('cut by a paywall');
  const renamed = publicPost('given another slug');
  const status = 'UPDATE posts SET status = ?, published_at = ? WHERE id = ?';
  return [
    { ...commanded, withdraw: () => run('unpublish', commanded.slug) },
    { ...removed, withdraw: bySql('DELETE FROM posts WHERE id = ?', removed.id) },
    {
      ...deleted,
      withdraw: (_, context) => deletePost(context, { type: 'page', id: deleted.id }),
    },
    { ...drafted, withdraw: bySql(status, 'draft', null, drafted.id) },
    { ...delayed, withdraw: bySql(status, 'scheduled', '2099-01-01 00:00:00', delayed.id) },
    { ...mailed, withdraw: bySql(status, 'sent', EXPORT_TIME, mailed.id) },
    {
      ...letter,
      withdraw: bySql('UPDATE posts_meta SET email_only = 1 WHERE post_id = ?', letter.id),
    },
    // What a reader may no longer see is the text; a title stays.
    {
      labels: ['gated: html'],
      withdraw: bySql(`UPDATE posts SET visibility = 'paid' WHERE id = ?`, gated.id),
    },
    {
      labels: ['cut by a paywall: html'],
      withdraw: async (_, context) => {
        const html = `<p>Free</p><!--members-only--><p>${marks.secret('new tail')}</p>`;
        const input = { html, visibility: 'members', updated_at: null };
        await editPost(context, { type: 'post', id: cut.id, input }, HTML);
      },
    },
    {
      labels: ['given another slug: slug'],
      withdraw: bySql(`UPDATE posts SET slug = 'another' WHERE id = ?`, renamed.id),
    },
    {
      labels: ['setting description'],
      withdraw: bySql(`UPDATE settings SET value = NULL WHERE key = 'description'`),
    },
    { labels: ['author bio'], withdraw: bySql('UPDATE users SET bio = NULL') },
  ];
};

const plantByUseCases = async (context: UseCaseContext): Promise<void> => {
  const of = (label: string): string => marks.secret(`saved: ${label}`);
  const texts = () => ({
    title: of('title'),
    html: `<p>${of('html')}</p>`,
    meta_title: of('meta'),
  });
  const scheduled = { status: 'scheduled' as const, published_at: Date.parse('2098-01-01') };
  await createPost(context, { type: 'post', input: texts() }, HTML);
  await createPost(context, { type: 'page', input: { ...texts(), ...scheduled } }, HTML);
  const gated = { ...texts(), title: marks.shown('saved: gated title'), meta_title: null };
  const closed = { ...gated, status: 'published' as const, visibility: 'members' };
  await createPost(context, { type: 'post', input: closed }, HTML);
  for (const type of ['content', 'admin', 'hook'] as const) {
    marks.know(`first ${type} key`, secretOf(await findShownKey(context, type)));
    marks.know(`${type} key`, secretOf((await createKey(context, { type, name: of(type) })).key));
  }
  marks.know('the sealing key', readFileSync(join(folder, 'data/secret.key'), 'utf8').trim());
  const target_url = `https://hooks.invalid/${of('target')}`;
  for (const secret of [of('webhook secret'), null]) {
    const event = secret === null ? 'site.changed' : 'post.edited';
    const made = await createWebhook(context, { event, target_url, secret, name: of('hook') }, 'k');
    if (secret === null) marks.know('made webhook secret', made.secret ?? '');
    marks.know(`signing secret of ${event}`, made.standard_secret);
  }
};

const secretOf = (key: string | null): string => key?.split(':').at(-1) ?? '';

const expectNoSecret = (): void => {
  for (const place of ['output', 'archive'])
    expect(marks.findIn('secret', join(folder, place))).toEqual([]);
  const changes = join(folder, 'data/changes.json');
  if (existsSync(changes))
    expect(marks.find('secret', readFileSync(changes, 'latin1'))).toEqual([]);
  expect(marks.find('secret', lines.join('\n'))).toEqual([]);
};

describe('a database full of secrets', () => {
  let withdrawals: readonly Withdrawal[] = [];

  beforeAll(async () => {
    const made = suiteFolder();
    folder = made.path;
    writeFileSync(join(folder, 'export.json'), JSON.stringify(markedExport()));
    const settings = { site: true, markdown: true };
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify(settings));
    expect(await run('import', 'export.json', '--site-url', 'https://site.test')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Skipped'),
    });
    await withDatabase(async (shell, context) => {
      // The settings of the export stand; those with marks take their place.
      shell.exec('DELETE FROM settings');
      withdrawals = plantWithdrawals(createMarkedPublication(shell, marks));
      await plantByUseCases(context);
    });
    return made.remove;
  });

  it('shows what is public and nothing else', async () => {
    expect((await run('build')).code).toBe(0);
    expect((await run('export', 'markdown', 'archive')).code).toBe(0);
    const shownTexts = ['output/llms-full.txt', 'output/feed.json', 'archive/pages'];
    for (const place of shownTexts) expect(existsSync(join(folder, place)), place).toBe(true);
    expect(marks.findIn('shown', join(folder, 'output')).sort()).toEqual(
      marks.labels('shown').sort(),
    );
    expectNoSecret();
    expect(marks.labels('secret').length).toBeGreaterThan(200);
  });

  it('withdraws what is public no longer, and nothing else', async () => {
    await withDatabase(async (shell, context) => {
      for (const { withdraw } of withdrawals) await withdraw(shell, context);
    });
    expect(await run('build', '--json')).toMatchObject({
      code: 0,
      said: expect.stringContaining('"kind": "incremental"'),
    });
    expect((await run('export', 'markdown', 'archive')).code).toBe(0);
    const gone = new Set(withdrawals.flatMap(({ labels }) => labels));
    const stays = marks.labels('shown').filter((label) => !gone.has(label));
    expect(marks.findIn('shown', join(folder, 'output')).sort()).toEqual(stays.sort());
    expectNoSecret();
  });

  it('serves and logs without them', async () => {
    const serving = await serve(folder, { environment: { PREPRESS_LOG_LEVEL: 'debug' } });
    const { contentKey, get, admin } = serving;
    expect((await get(`/content/posts/?key=${contentKey}`)).status).toBe(200);
    expect((await get(`/content/posts/?key=${marks.secret('a wrong key')}`)).status).toBe(401);
    const headers = { authorization: `Ghost ${marks.secret('a wrong token')}` };
    expect((await get('/admin/posts/', { headers })).status).toBe(401);
    const of = (label: string): string => marks.secret(`sent: ${label}`);
    const post = { title: of('title'), html: `<p>${of('html')}</p>` };
    await admin('POST', '/posts/?source=html', { posts: [post] });
    const refused = { ...post, status: of('status') };
    await expect(admin('POST', '/posts/', { posts: [refused] })).rejects.toThrow('422');
    await withDatabase(async (_, context) => {
      const token = await findShownKey(context, 'hook');
      expect((await get(`/hooks/build/${token}`, { method: 'POST' })).status).toBe(202);
    });
    expect(await serving.end()).toBe(0);
    expect(serving.log()).toContain('"level"');
    expect(marks.find('secret', serving.log())).toEqual([]);
    expectNoSecret();
  });

  it('keeps its errors and reports free of them', async () => {
    await withDatabase((shell) => {
      const broken = [marks.secret('a time'), Buffer.from(marks.secret('bytes')), 'members'];
      const columns = 'updated_at = ?, html = ?, visibility = ?';
      shell.prepare(`UPDATE posts SET ${columns} WHERE slug = 'another'`).run(broken);
    });
    expect(await run('build', '--strict')).toMatchObject({
      code: 1,
      said: expect.stringContaining('cannot be rendered'),
    });
    expect((await run('build', '--full', '--strict', '--json')).code).toBe(1);
    const half = JSON.stringify(markedExport()).slice(0, -40);
    writeFileSync(join(folder, 'half.json'), half);
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ [marks.secret('a key')]: half }));
    for (const file of ['half.json', 'other.json', 'data/publication.db']) {
      expect((await run('import', file)).code, file).not.toBe(0);
    }
    for (const command of ['status', 'verify']) {
      expect((await run(command)).said.length, command).toBeGreaterThan(0);
    }
    expectNoSecret();
  });

  it('lists keys by their names only', async () => {
    const { stdout, stderr } = await runPrepress(folder, ['keys', 'list']);
    const names = ['saved: admin', 'saved: content', 'saved: hook'];
    expect(marks.find('secret', stdout + stderr).sort()).toEqual(names);
  });
});
