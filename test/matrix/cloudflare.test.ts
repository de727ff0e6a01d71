import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { treeFiguresOf } from '../../src/hosts/tree-figures.ts';
import type { Selection } from '../../src/paths/selection.ts';
import { checkHost } from './check-host.ts';
import { checkPages, putPages } from './check-pages.ts';
import { DISGUISES } from './conformance.ts';
import { buildMatrixSite, POST_ID, TEXT_BLOB } from './site.ts';
import { type StartedWorker, startWorker } from './start-worker.ts';

const start = async (
  basePath = '',
  { selection, keys }: { selection?: Selection | undefined; keys?: readonly string[] } = {},
): Promise<StartedWorker> => {
  const site = await buildMatrixSite(basePath, selection);
  const worker = await startWorker(site, { keys });
  const end = async (): Promise<void> => {
    await worker.end();
    site.remove();
  };
  return { ...worker, end };
};

const FEWEST: Selection = { profile: 'by-id', variants: ['index', 'authors-tags'] };
const PACKED: Selection = { profile: 'packed', variants: null };

/** Explicit names of files that the host was not given. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'by-id': /slug.*[.]json$/,
  packed: /content\/(?:posts|pages|tags|authors)\/.*[.]json$/,
};

describe.each([
  { title: 'with every file', basePath: '' },
  { title: 'below a base path, with fewer variants', basePath: '/blog' },
  { title: 'with files by id only', basePath: '', selection: FEWEST },
  { title: 'with the packed tree only', basePath: '', selection: PACKED },
])('workerd $title', ({ basePath, selection }) => {
  let running: StartedWorker;

  beforeAll(async () => {
    running = await start(basePath, { selection });
    return running.end;
  });

  checkHost(() => running, {
    answersAll: true,
    exceptions: ({ path }) =>
      LEFT_OUT[selection?.profile ?? '']?.test(path) ? 'these files are left out' : null,
  });

  test('what was not to be uploaded is not there, and the counts say so', () => {
    const { site, served } = running;
    const { profile, variants } = site.selection;
    const names = readdirSync(served, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(served, join(entry.parentPath, entry.name)));
    const has = (part: string): boolean => names.some((name) => name.includes(part));
    expect(has(`posts/slug/${site.segmentOf('welcome')}/`)).toBe(profile === 'literal');
    expect(has(`posts/${POST_ID}/authors-tags.json`)).toBe(profile !== 'packed');
    expect(has('content/posts/index.json')).toBe(profile !== 'packed');
    expect(has(`posts/${POST_ID}/tags.json`)).toBe(profile !== 'packed' && variants === null);
    const ofTree = names.filter((name) => !/assetsignore|images|files\/|\.prepress/.test(name));
    expect(treeFiguresOf(site).files).toBe(ofTree.length);
  });

  describe('with pages', () => {
    beforeAll(() => {
      putPages(running.site);
      putPages({ ...running.site, output: running.served });
    });

    checkPages(() => running, { isPlayed: true });

    // As on Pages without a 404.html.
    test('a home page that stands for every absent file is not the page', async () => {
      rmSync(join(running.served, basePath, 'content/index.html'));
      const home = join(running.served, 'index.html');
      writeFileSync(home, 'The home page.');
      const { status, headers } = await running.ask({ path: `${basePath}/content/` });
      rmSync(home);
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    });
  });
});

test('the worker asks for the content key when it was bundled with their hashes', async () => {
  const { ask, end } = await start('', { keys: ['right'], selection: FEWEST });
  try {
    const answers = await Promise.all(
      ['', '?key=wrong', '?key=right', '?key=right&key=right', 'index.json'].map((query) =>
        ask({ path: `/content/posts/${query}` }),
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
  const { ask, end } = await start('', { keys: ['right'] });
  try {
    const cacheOf = async (file: string): Promise<unknown> =>
      (await ask({ path: `/content/${file}?key=right` })).headers['cache-control'];
    expect(await cacheOf(TEXT_BLOB)).toBe('private, max-age=31536000, immutable');
    expect(await cacheOf('packed/root.json')).toBe('public, max-age=0, must-revalidate');
  } finally {
    await end();
  }
});
