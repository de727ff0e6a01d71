// The editor of posts on a page of its own, in Chromium, under the desk's own content security policy.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { DESK_OPTIONS } from '../../scripts/bundle.js';
import { deskPolicy } from '../../src/serve/server/pages/desk-policy.ts';
import { startChromium } from '../helpers/chromium.ts';

/** What the page has for the tests. */
declare global {
  var editorPage: {
    /** Resolves once it is open, or has said that it cannot be. */
    open: (lexical: string) => Promise<void>;
    changes: string[];
    broken: string | null;
    uploads: string[];
    faults: string[];
    /** Html that stands at each address that is embedded. */
    embed: string;
    /** What the cards are told of links throws while it is true. */
    throws: boolean;
    /** No upload succeeds while it is true. */
    refuses: boolean;
    crashes: number;
  };
}

const SCRIPT = `
import { mountEditor } from './src/serve/desk/editor/mount-editor.tsx';
import './src/serve/desk/desk.css';
import './src/serve/desk/editor/editor.css';
let end = () => {};
const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const page = { changes: [], uploads: [], faults: [], broken: null, embed: '', throws: false, refuses: false, crashes: 0, open: async (lexical) => {
  end();
  page.throws = false;
  page.refuses = false;
  page.crashes = 0;
  page.changes = [];
  page.faults = [];
  page.broken = null;
  const place = document.createElement('div');
  place.className = 'editor';
  document.querySelector('form').replaceChildren(place);
  end = mountEditor(place, {
    lexical,
    cards: { unsplash: null, siteUrl: 'https://site.example', feature: {}, deprecated: {}, visibilitySettings: 'web only',
      get searchLinks() { if (page.throws) throw new Error('It fails.'); },
      fetchEmbed: async (url) => ({ type: 'rich', version: '1.0', url, html: page.embed }) },
    upload: async (kind, file) => {
      page.uploads.push(kind + ' ' + file.name);
      if (page.refuses || file.name.startsWith('bad')) throw new Error('It is no image.');
      return { url: '/content/images/' + file.name };
    },
    onChange: (text) => page.changes.push(text),
    onLeave: () => {},
    onBroken: (words) => { page.broken = words; },
    onCrash: () => { page.crashes += 1; },
    onFault: (words) => page.faults.push(words),
  });
  while (page.broken === null && !place.querySelector('[aria-label="Body of the post"]')) await frames();
  await frames();
} };
globalThis.editorPage = page;
`;

const htmlOf = (nonce: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Editor</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/stdin.css">
<main id="desk"><form class="post"></form></main><script type="module" src="/stdin.js" nonce="${nonce}"></script></html>`;

export type EditorPage = {
  readonly page: Page;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};

const NONCE = 'c29tZS1ub25jZQ';

/** `files`: others that the page's own origin has, by their path. */
export const openEditorPage = async (
  files: Readonly<Record<string, string>> = {},
): Promise<EditorPage> => {
  const { outputFiles } = await build({
    ...(DESK_OPTIONS as BuildOptions),
    entryPoints: [],
    stdin: { contents: SCRIPT, resolveDir: `${import.meta.dirname}/../..` },
    outdir: '/',
    write: false as const,
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const text = outputFiles.find((file) => file.path === path)?.text ?? files[path];
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html';
    response.setHeader('content-type', type);
    response.setHeader('content-security-policy', deskPolicy(NONCE));
    response.end(text ?? htmlOf(NONCE));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await startChromium();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => globalThis.editorPage !== undefined);
  const close = async (): Promise<void> => {
    await browser.close();
    server.close();
  };
  return { page, browser, close };
};
