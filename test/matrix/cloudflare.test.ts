import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleEdge } from '../../src/hosts/bundle.ts';
import { cloudflareFiles, WORKER } from '../../src/hosts/cloudflare/files.ts';
import { treeFiguresOf } from '../../src/hosts/tree-figures.ts';
import type { Selection } from '../../src/paths/selection.ts';
import { askAt } from './ask.ts';
import { checkHost, type HostUnderTest } from './check-host.ts';
import { DISGUISES } from './conformance.ts';
import { hostSiteOf } from './host-site.ts';
import { buildMatrixSite, type MatrixSite, POST_ID, TEXT_BLOB } from './site.ts';
import { startWorkerd } from './workerd-process.ts';

type Options = {
  readonly keys?: readonly string[];
  readonly basePath?: string;
  readonly selection?: Selection;
};

type Started = HostUnderTest & { readonly served: string; readonly end: () => Promise<void> };

const start = async ({ keys, basePath = '', selection }: Options = {}): Promise<Started> => {
  const site = await buildMatrixSite(basePath, selection);
  const keyHashes = keys?.map((key) => createHash('sha256').update(key).digest('hex')) ?? null;
  const files = await cloudflareFiles(hostSiteOf(site, { keyHashes }));
  const textOf = (name: string): string => files.find(({ path }) => path === name)?.text ?? '';
  const folder = join(dirname(site.output), 'workerd');
  const served = join(folder, 'assets');
  mkdirSync(folder);
  upload(site, { served, ignored: textOf('.assetsignore') });
  for (const { path, text } of files.filter(({ isInOutput }) => isInOutput === true)) {
    mkdirSync(dirname(join(served, path)), { recursive: true });
    writeFileSync(join(served, path), text);
  }
  const workerd = await startWorkerd({ folder, output: served, worker: textOf(WORKER) });
  const end = async (): Promise<void> => {
    await workerd.end();
    site.remove();
  };
  return { site, ask: askAt(workerd.port), served, end };
};

/** Copies what a file in the language of .gitignore leaves. */
const upload = (site: MatrixSite, to: { served: string; ignored: string }): void => {
  const patterns = to.ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (path: string): boolean =>
    patterns.some((pattern) => {
      const text = pattern
        .replaceAll('.', '[.]')
        .replaceAll('/**/', '/(?:.+/)?')
        .replaceAll('*', '[^/]*');
      const start = pattern.slice(0, -1).includes('/') ? '^' : '(?:^|/)';
      return new RegExp(`${start}${text}${pattern.endsWith('/') ? '' : '(?:/|$)'}`).test(path);
    });
  cpSync(site.output, to.served, {
    recursive: true,
    filter: (path) => !isIgnored(`/${relative(site.output, path)}`.replace(/^\/$/, '')),
  });
};

const FEWEST: Selection = { profile: 'by-id', variants: ['index', 'authors-tags'] };

describe.each([
  { title: 'with every file', basePath: '' },
  { title: 'below a base path, with fewer variants', basePath: '/blog' },
  { title: 'with files by id only', basePath: '', selection: FEWEST },
])('workerd $title', ({ basePath, selection }) => {
  let running: Started;

  beforeAll(async () => {
    running = await start({ basePath, ...(selection && { selection }) });
    return running.end;
  });

  checkHost(() => running, {
    exceptions: ({ path }) =>
      selection === FEWEST && /slug.*[.]json$/.test(path) ? 'files by slug are left out' : null,
  });

  test('what was not to be uploaded is not there, and the counts say so', () => {
    const { site, served } = running;
    const names = readdirSync(served, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(served, join(entry.parentPath, entry.name)));
    const left = site.segmentOf('welcome');
    expect(names.some((name) => name.includes(`posts/slug/${left}/`))).toBe(
      site.selection.profile === 'literal',
    );
    expect(names.some((name) => name.includes(`posts/${POST_ID}/tags.json`))).toBe(
      site.selection.variants === null,
    );
    const ofTree = names.filter((name) => !/assetsignore|images/.test(name));
    expect(treeFiguresOf(site).files).toBe(ofTree.length);
  });
});

test('the worker asks for the content key when it was bundled with their hashes', async () => {
  const { ask, end } = await start({ keys: ['right'], selection: FEWEST });
  try {
    const answers = await Promise.all(
      ['', '?key=wrong', '?key=right', '?key=right&key=right', 'index.json'].map(
        (query) => ask({ path: `/content/posts/${query}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 200, 400, 403]);
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*');
    const [missing] = answers;
    const { errors } = JSON.parse(missing?.body.toString() ?? '') as { errors: object[] };
    expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
    expect((await ask({ path: '/content/images/a.png' })).status).toBe(200);
    for (const path of DISGUISES) {
      const { status } = await ask({ path });
      expect(status, path).toBeOneOf([403, 404]);
    }
  } finally {
    await end();
  }
});

test('where the worker asks for the content key, no shared cache keeps a blob', async () => {
  const { ask, end } = await start({ keys: ['right'] });
  try {
    const cacheOf = async (file: string): Promise<unknown> =>
      (await ask({ path: `/content/${file}?key=right` })).headers['cache-control'];
    expect(await cacheOf(TEXT_BLOB)).toBe('private, max-age=31536000, immutable');
    expect(await cacheOf('packed/root.json')).toBe('public, max-age=0, must-revalidate');
  } finally {
    await end();
  }
});

test('the worker is under 48 kB minified, whatever it does', async () => {
  const { site, end } = await start({ keys: ['right'], selection: FEWEST });
  const worker = await bundleEdge({
    entry: 'worker',
    site: hostSiteOf(site, { keyHashes: ['0'.repeat(64)] }),
  });
  await end();
  expect(Buffer.byteLength(worker)).toBeLessThan(48_000);
});
