// The editor of posts on a page of its own, in Chromium, under a content security policy as strict as the desk's.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BuildOptions, build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { DESK_OPTIONS } from '../../scripts/bundle.js';
import { startChromium } from '../helpers/chromium.ts';

/** What the page has for the tests. */
declare global {
  var editorPage: {
    open: (body: { lexical: string | null; html: string | null }) => void;
    changes: string[];
    uploads: string[];
  };
}

const SCRIPT = `
import { mountEditor } from './src/serve/desk/editor/index.ts';
import './src/serve/desk/editor/editor.css';
let editor = null;
const page = { changes: [], uploads: [], open: (body) => {
  editor?.destroy();
  page.changes = [];
  editor = mountEditor(document.querySelector('main'), {
    ...body,
    uploadImage: async (file) => {
      page.uploads.push(file.name);
      if (file.name.startsWith('bad')) throw new Error('It is no image.');
      return { url: '/content/images/' + file.name };
    },
    onChange: ({ lexical }) => page.changes.push(lexical),
  });
} };
globalThis.editorPage = page;
`;

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Editor</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/stdin.css"><main></main><script type="module" src="/stdin.js"></script></html>`;

/** No stricter one is possible for a page with a script into which formatted text is pasted. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: https:";

export type EditorPage = {
  readonly page: Page;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
};

export const openEditorPage = async (): Promise<EditorPage> => {
  const { outputFiles } = await build({
    ...(DESK_OPTIONS as BuildOptions),
    entryPoints: [],
    stdin: { contents: SCRIPT, resolveDir: `${import.meta.dirname}/../..` },
    outdir: '/',
    write: false as const,
  });
  const server = createServer((request, response) => {
    const file = outputFiles.find(({ path }) => path === request.url);
    const type = request.url?.endsWith('.css') ? 'text/css' : 'text/javascript';
    response.setHeader('content-type', file === undefined ? 'text/html' : type);
    response.setHeader('content-security-policy', POLICY);
    response.end(file?.text ?? HTML);
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
