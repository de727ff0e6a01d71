// Work at the desk in a browser: what follows by itself, files of members, webhooks, keys, and what is asked before changes
// are lost. Every action is a request of the admin interface.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findFaults, launchChromium, openPage, seen, signIn } from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { openShell, type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

/** A site that a real Ghost exported. */
const SMALL_SITE = join(import.meta.dirname, '../fixtures/ghost-small/ghost-export.json');

const SERVER = {
  ...{ name: 'near', version: '1', role: 'leader', position: 7, lagMs: null, clockMs: -3_000 },
  ...{ silentMs: 20, isSilent: false, settingsDiffer: ['shape'] },
};

type PostAnswer = {
  readonly posts: readonly { readonly id: string; readonly updated_at: string }[];
};

const firstPost = async ({ admin }: Serving): Promise<PostAnswer['posts'][number]> => {
  const { posts } = (await admin(
    'GET',
    '/posts/?filter=slug:what-the-salt-pans-know&fields=id,updated_at',
  )) as PostAnswer;
  if (posts[0] === undefined) throw new Error('The sample has no such post.');
  return posts[0];
};

const open = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
};

describe.skipIf(reason !== null)(`work at the desk ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const start = async (): Promise<{ serving: Serving; page: Page }> => {
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    const page = await openPage(browser());
    return { serving, page };
  };

  test('the state follows by itself: what changed, the queue, what is scheduled, how far a build is', async () => {
    const receiver = await startReceiver();
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Overview');
    await page.getByRole('heading', { name: 'This is the sample publication' }).waitFor();
    await page.getByText('A Letter to the Spring of 2031').waitFor();
    await page.getByText(/^31 records|31 records in/).waitFor();
    const hook = { event: 'post.published.edited', target_url: receiver.url };
    await serving.admin('POST', '/webhooks/', { webhooks: [hook] });
    const { id, updated_at } = await firstPost(serving);
    await serving.admin('PUT', `/posts/${id}/`, { posts: [{ title: 'Renamed', updated_at }] });
    await page.getByText('What changed').click();
    await page.getByText('posts/slug/what-the-salt-pans-know/index.json').waitFor();
    const queue = page.locator('section', { has: page.getByText('Webhook deliveries') });
    await queue.locator('dt:has-text("Done") + dd:has-text("1")').waitFor();
    openShell(serving.folder)
      .prepare("UPDATE posts SET title = 'Another letter' WHERE status = 'scheduled'")
      .run();
    await page.getByText('Another letter').waitFor();
    await page.route('**/admin/state/', async (route) => {
      const response = await route.fetch();
      const { state } = (await response.json()) as { state: object };
      const progress = { records: 1200, total: 5000 };
      const servers = [SERVER, { ...SERVER, name: 'far', role: 'other', lagMs: 1_240 }];
      await route.fulfill({ json: { state: { ...state, state: 'building', progress, servers } } });
    });
    await page.getByText('1,200 of about 5,000 records').waitFor();
    const servers = page.locator('section', { has: page.getByText('Servers', { exact: true }) });
    await servers.getByText('leads', { exact: true }).waitFor();
    await servers.getByText('position 7, 1.2 s behind, version 1').waitFor();
    await servers.getByText('Other settings: shape').first().waitFor();
    await servers.getByText('Its clock is 3 s behind').first().waitFor();
    await page.unroute('**/admin/state/');
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Build now' }).click();
    await seen(page, 'A build was requested.');
    await serving.end('SIGKILL');
    await page.getByText('The server does not answer. Wait a moment, then try again.').waitFor();
  });

  test('each target of a deploy says what it has, or why it has nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a-file'), '');
    const deploy = ['dir:there', 'dir:a-file/site'].map((target) => ({ target }));
    writeFileSync(join(folder, 'prepress.config.json'), JSON.stringify({ deploy }));
    const serving = await serve(folder, { args: ['--sample'] });
    const page = await openPage(browser(), { viewport: { width: 375, height: 800 } });
    await signIn(page, serving);
    await open(page, 'Overview');
    const targets = page.locator('section', { has: page.getByText('Deploys', { exact: true }) });
    const there = targets.locator('li', { hasText: 'dir:there' });
    await there.getByText('there', { exact: true }).waitFor();
    await there.getByText(/^It has generation (\d+) of \1, since /).waitFor();
    const failing = targets.locator('li', { hasText: 'dir:a-file/site' });
    await failing.getByText('failing', { exact: true }).waitFor();
    await failing.getByText('It has no build yet').waitFor();
    await failing.getByText(/^The target cannot be read or written: /).waitFor();
    await failing.getByText(/^Next try: /).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  test('while a source is followed, the desk says where to write, and a save says why it is refused', async () => {
    const followed = { PREPRESS_FOLLOW: SMALL_SITE, PREPRESS_SITE_URL: 'https://site.test' };
    const serving = await serve(temporaryFolder(), { environment: followed });
    const page = await openPage(browser());
    await signIn(page, serving);
    await open(page, 'Overview');
    await page
      .getByText(/^The publication follows .*, and only that changes its content\.$/)
      .waitFor();
    const published = '/posts/?filter=status:published&fields=id&limit=1';
    const { posts } = (await serving.admin('GET', published)) as PostAnswer;
    await page.goto(`${serving.url}/desk/#/posts/${posts[0]?.id}`);
    await page.getByText(/Change this post there; changes here are refused\.$/).waitFor();
    await page.getByLabel('Excerpt').fill('Written here.');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT'),
      page.getByRole('button', { name: 'Update', exact: true }).click(),
    ]);
    expect(answer.status()).toBe(409);
    await page
      .getByRole('alert')
      .filter({ hasText: /^The publication follows .*\.$/ })
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    page.on('dialog', (dialog) => void dialog.accept());
    for (const [view, what, field] of [
      ['settings', 'publication', 'Language'],
      ['tags/new', 'tag', 'Name'],
    ] as const) {
      await page.goto(`${serving.url}/desk/#/${view}`);
      await page.getByText(`Change this ${what} there; changes here are refused.`).waitFor();
      expect(await page.getByLabel(field, { exact: true }).isDisabled()).toBe(true);
    }
  });

  test('members go out as CSV as they are shown, and come in once they are counted', async () => {
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Members');
    await seen(page, '12 members');
    await page.getByLabel('Status').selectOption('paid');
    await page.getByLabel('Label', { exact: true }).selectOption('Sends corrections');
    await page.getByLabel('Search names and addresses').fill('petrou');
    await seen(page, '1 member');
    await page.getByText('Import and export').click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export what is shown as CSV' }).click();
    const csv = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\n');
    expect(csv).toHaveLength(2);
    expect(csv[1]).toContain('eleni.petrou@example.com');
    // The list without its filters.
    await open(page, 'Posts');
    await open(page, 'Members');
    await page.getByText('Import and export').click();
    await page.getByLabel('Label for imported members').fill('From a file');
    const buffer = Buffer.from('email,name\nada@example.com,Ada\nnobody,Nobody\n');
    const choose = (): Promise<void> =>
      page.getByLabel('CSV file').setInputFiles({ name: 'm.csv', mimeType: 'text/csv', buffer });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await choose();
    await page
      .getByText('m.csv has 2 lines below its header. Its members get the labels “From a file”')
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('m.csv has 2 lines').waitFor({ state: 'detached' });
    await choose();
    const agree = page.getByRole('button', { name: 'Import 2 lines' });
    await agree.waitFor();
    expect(sent).toEqual([]);
    await agree.click();
    await page.getByText(/^1 member imported with the label /).waitFor();
    expect(sent).toEqual(['/admin/members/upload/']);
    await page.reload();
    await page.getByLabel('Label', { exact: true }).selectOption('From a file');
    await seen(page, '1 member');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
  });

  test('a file that holds no members is refused by its own name, with the reason', async () => {
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Members');
    await page.getByText('Import and export').click();
    const choose = (name: string, text: string): Promise<void> =>
      page
        .getByLabel('CSV file')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('none.csv', '');
    await seen(page, 'none.csv is empty. Choose another file.');
    await choose('headless.csv', 'ada@example.com,Ada\n');
    await page.getByText(/^headless\.csv has no member: its first line is the header/).waitFor();
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
    await choose('list.csv', 'ada@example.com,Ada\nbob@example.com,Bob\n');
    await page.getByRole('button', { name: 'Import 1 line' }).click();
    await page.getByText(/^The file list\.csv is not a members CSV: /).waitFor();
    // Browsers send no file that was written since it was chosen.
    const file = join(temporaryFolder(), 'mended.csv');
    writeFileSync(file, 'email\nada@example.com\n');
    await page.getByLabel('CSV file').setInputFiles(file);
    const agree = page.getByRole('button', { name: 'Import 1 line' });
    await agree.waitFor();
    writeFileSync(file, 'email\nada@example.com\nbob@example.com\n');
    await agree.click();
    await seen(page, 'mended.csv has changed since you chose it. Choose it again.');
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText(/^2 members imported with the label /).waitFor();
  });

  test('an import is followed while its server is away', async () => {
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Members');
    await page.getByText('Import and export').click();
    const lines = Array.from({ length: 2_500 }, (_, at) => `reader${at}@example.com`);
    const buffer = Buffer.from(['email', ...lines].join('\n'));
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    await page.route('**/admin/members/bulk/**', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Import 2,500 lines' }).click();
    await page.getByText(/^2,500 members imported with the label /).waitFor();
    const made = page.getByLabel('Label', { exact: true }).locator('option', { hasText: 'Import' });
    await made.waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const stopped = '7 of 2,500 members were imported, then the work stopped: kept.';
    openShell(serving.folder)
      .prepare("UPDATE bulk_jobs SET state = 'failed', members_done = 7, error = 'kept.'")
      .run();
    for (const view of ['Overview', 'Members']) {
      await open(page, view);
      await page.getByText(stopped).waitFor();
    }
  });

  test('who comes back after a long import sees its result, until it is dismissed', async () => {
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Members');
    await page.getByText('Import and export').click();
    const lines = Array.from({ length: 2_500 }, (_, at) => `reader${at}@example.com,true`);
    const text = ['email,subscribed_to_emails', ...lines, 'nobody,true', 'x@example.com,perhaps'];
    const buffer = Buffer.from(text.join('\n'));
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    const job = { state: 'running', members_done: 7, members_total: 2_500, result: null };
    const looks = '**/admin/members/bulk/**';
    await page.route(looks, (route) => route.fulfill({ json: { job } }));
    let send = (): unknown => undefined;
    await page.route('**/admin/members/upload/', (route) => {
      send = () => route.continue();
    });
    const sending = page.waitForRequest('**/admin/members/upload/');
    await page.getByRole('button', { name: 'Import 2,502 lines' }).click();
    await sending;
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await eventually(() => expect(String(asked)).toMatch(/^The file is still being sent/));
    await send();
    await seen(page, '7 of 2,500 members imported…');
    await page.unroute(looks);
    await page.reload();
    const result = [
      /^2,500 members imported with the label .*, 2 lines skipped\.$/,
      /^Line 2502: /,
      /^Line 2503: /,
      /^Skipped lines that may say that a reader left/,
    ];
    for (const line of result) await page.getByText(line).waitFor();
    await open(page, 'Tags');
    await open(page, 'Members');
    for (const line of result) await page.getByText(line).waitFor();
    expect(await findFaults(page)).toEqual([]);
    // As in a tab that is opened later.
    const other = await page.context().newPage();
    await page.close();
    await signIn(other, serving);
    await open(other, 'Members');
    for (const line of result) await other.getByText(line).waitFor();
    await other.getByRole('button', { name: 'Dismiss' }).click();
    await other.getByText(/^Line 2502: /).waitFor({ state: 'detached' });
    await other.reload();
    await seen(other, '2,512 members');
    expect(await other.getByText(/ lines skipped\.$/).count()).toBe(0);
  });

  test('a webhook is made by a preset, or with headers and a body; a refused delivery says why and when next', async () => {
    const receiver = await startReceiver();
    const { serving, page } = await start();
    await signIn(page, serving);
    await open(page, 'Webhooks');
    const make = async (path: string): Promise<void> => {
      await page.getByLabel('Address to send to').fill(new URL(path, receiver.url).href);
      await page.getByRole('button', { name: 'Create webhook' }).click();
    };
    await page.getByLabel('Receiver').selectOption('github');
    await page.getByLabel('Token').fill('github_pat_desk');
    await make('/hook');
    await page.getByText(/^The preset github sends to an address such as/).waitFor();
    await make('/repos/o/r/dispatches');
    await page.getByText('Preset github; headers Authorization, Accept').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer github_pat_desk');
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      event_type: 'webhook.test',
    });
    await page.getByLabel('Receiver').selectOption('Any other');
    await page.getByLabel('Headers').fill('X-Token: own-desk');
    await page.getByLabel('Body').fill('{"a": {{title}}}');
    await make('/other');
    await page.getByText(/^The body is not JSON\. Put placeholders inside texts/).waitFor();
    await page.getByLabel('Body').fill('{"a": "{{site.url}}"}');
    await make('/other');
    await page.getByText('headers X-Token; a body of its own').waitFor();
    expect(await page.content()).not.toMatch(/github_pat_desk|own-desk/);

    openShell(serving.folder).prepare("UPDATE webhooks SET target_url = 'http://10.1.2.3/'").run();
    const { id, updated_at } = await firstPost(serving);
    await serving.admin('PUT', `/posts/${id}/`, { posts: [{ title: 'Renamed', updated_at }] });
    const why =
      /10\.1\.2\.3 is in a private .* "10\.1\.2\.3" to "webhookAllow" in prepress\.config\.json\. The next try is at /;
    await page.getByText(why).first().waitFor();
    await eventually(() =>
      expect(serving.log()).toMatch(/"address":"http:\/\/10\.1\.2\.3",.*a delivery was refused/),
    );
  });

  test('webhooks are tried, keys are made and revoked', async () => {
    const receiver = await startReceiver();
    const { serving, page } = await start();
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, serving);
    await open(page, 'Webhooks');
    await page.getByLabel('Address to send to').fill(receiver.url);
    await page.getByLabel('Name').fill('The mirror');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Its secret is shown only once').waitFor();
    await page.reload();
    await page.getByText('The mirror').waitFor();
    expect(await page.getByText('Its secret is shown only once').count()).toBe(0);
    await page.getByRole('button', { name: 'Test' }).click();
    await seen(page, 'A test event is on its way; the log below shows it.');
    await page.getByText('Status 200 at attempt 1').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await eventually(() => expect(receiver.received.length).toBe(2));
    await page.getByLabel('Failed ones only').check();
    await seen(page, 'Nothing was sent yet.');
    await page.getByRole('button', { name: 'Remove' }).click();
    await seen(page, 'There is no webhook yet.');

    await open(page, 'Keys');
    await page.getByLabel('Name').fill('For the app');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('.secret code').textContent();
    const read = async (): Promise<number> =>
      (await serving.get(`/content/tags/?key=${key}`)).status;
    expect(await read()).toBe(200);
    const row = page.locator('.records li', { hasText: 'For the app' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    expect(await read()).toBe(401);
  });

  test('without renderers the desk says what to install, and html is written', async () => {
    const { serving, page } = await start();
    await page.route('**/admin/desk/', async (route) => {
      const response = await route.fetch();
      const { desk } = (await response.json()) as { desk: object };
      await route.fulfill({ json: { desk: { ...desk, editor_install: 'npm install them' } } });
    });
    await signIn(page, serving);
    const { id } = await firstPost(serving);
    await page.goto(`${serving.url}/desk/#/posts/${id}`);
    await page.getByText('npm install them').waitFor();
    await page.getByText('Run this command where Prepress is installed').waitFor();
    expect(await page.getByRole('button', { name: 'Write in the editor' }).count()).toBe(0);
    await page.getByLabel('Text, as HTML').fill('<p>Plain.</p>');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await seen(page, 'Saved and published. The page follows in a few seconds.');
    await eventually(async () => {
      const path = `/content/posts/${id}/?key=${serving.contentKey}`;
      expect(await (await serving.get(path)).text()).toContain('<p>Plain.</p>');
    });
  });
});
