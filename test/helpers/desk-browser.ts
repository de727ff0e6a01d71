// A browser at the desk of a running server, and what is asked of every view: no serious fault that axe finds, and
// nothing wider than the screen.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Serving, serve } from './serve.ts';
import { temporaryFolder } from './temporary-folder.ts';

export { launchChromium } from './chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const SCREENS: readonly BrowserContextOptions[] = [375, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    viewport: { width, height: 900 },
    colorScheme,
  })),
);

/** It ends a test that hangs; no test fails by it because a machine is slow. */
const WAIT_MS = Number(process.env.PREPRESS_TEST_WAIT_MS ?? 300_000);

/** Fails the test that uses the page for anything that the page's policy or its own code objects to, but for what is `known`. */
export const openPage = async (
  browser: Browser,
  options: BrowserContextOptions = {},
  known = /^Failed to load resource/,
): Promise<Page> => {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !known.test(message.text())) faults.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return page;
};

export const adminKeyOf = ({ folder }: Serving): string =>
  readFileSync(join(folder, 'data/admin-key'), 'utf8').trim();

export const signIn = async (page: Page, serving: Serving): Promise<void> => {
  await page.goto(`${serving.url}/desk/`);
  await page.getByLabel('Admin key').fill(adminKeyOf(serving));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor();
};

export type AtDesk = { readonly serving: Serving; readonly page: Page };

/** A server of the sample publication, and a page whose reader has signed in to its desk. */
export const openSample = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<AtDesk> => {
  const serving = await serve(temporaryFolder(), { args: ['--sample'] });
  const page = await openPage(browser, options);
  await signIn(page, serving);
  return { serving, page };
};

/** Waits for a text that is all an element holds, or for one that matches. */
export const seen = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text, { exact: true }).first().waitFor();

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Presses a button that asks before it does anything, and agrees by the button of the question. */
export const pressAsked = async (page: Page, name: string, yes: string): Promise<void> => {
  await press(page, name);
  await page.getByRole('dialog').getByRole('button', { name: yes, exact: true }).click();
};

type Axe = {
  readonly run: () => Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
    }[];
  }>;
};

/** What axe calls serious or critical, contrast included, and by how many pixels the page is too wide. */
export const findFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run(),
  );
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return over > 0 ? [...serious, `${over} pixels too wide`] : serious;
};
