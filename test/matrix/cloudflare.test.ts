import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Selection } from '../../src/content/paths/selection.ts';
import { treeFiguresOf } from '../../src/publish/hosts/limits/tree-figures.ts';
import { conditionTrials } from './check-conditions.ts';
import { holdGuarded } from './check-guarded.ts';
import { hostTrials } from './check-host.ts';
import { pageTrials, putPages, removePages } from './check-pages.ts';
import { startHosts } from './hosts-of-file.ts';
import { type MatrixSite, POST_ID, TEXT_BLOB } from './site.ts';
import { startWorker } from './start-worker.ts';
import { holdAll, type Trial } from './trials.ts';

const FEWEST: Selection = { profile: 'by-id', variants: ['index', 'authors-tags'] };
const PACKED: Selection = { profile: 'packed', variants: null };

/** Explicit names of files that the host was not given. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  'by-id': /slug.*[.]json$/,
  packed: /content\/(?:posts|pages|tags|authors)\/.*[.]json$/,
};

describe('workerd', () => {
  const start = (site: MatrixSite) => startWorker(site);
  const hosts = startHosts([
    { title: 'every file', start },
    { title: 'fewer variants', basePath: '/blog', start },
    { title: 'files by id only', selection: FEWEST, start },
    { title: 'the packed tree only', selection: PACKED, start },
  ]);

  test('conditions and ranges', () => holdAll(hosts().flatMap(conditionTrials)));

  test('documents and addresses', () =>
    holdAll(
      hosts().flatMap((host) =>
        hostTrials(host, {
          answersAll: true,
          exceptions: ({ path }) =>
            LEFT_OUT[host.site.selection.profile]?.test(path) ? 'these files are left out' : null,
        }),
      ),
    ));

  test('what was not to be uploaded is not there, and the counts say so', () =>
    holdAll(
      hosts().map(({ title, site, served }) => ({
        host: title,
        request: 'files',
        hold: (compare) => {
          const { profile, variants } = site.selection;
          const names = readdirSync(served, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => relative(served, join(entry.parentPath, entry.name)));
          const has = (part: string): boolean => names.some((name) => name.includes(part));
          compare(
            'by slug',
            has(`posts/slug/${site.segmentOf('welcome')}/`),
            profile === 'literal',
          );
          compare('by id', has(`posts/${POST_ID}/authors-tags.json`), profile !== 'packed');
          compare('lists', has('content/posts/index.json'), profile !== 'packed');
          const isWhole = profile !== 'packed' && variants === null;
          compare('other variants', has(`posts/${POST_ID}/tags.json`), isWhole);
          const ofTree = names.filter(
            (name) => !/assetsignore|images|files\/|\.prepress/.test(name),
          );
          compare('their number', ofTree.length, treeFiguresOf(site).files);
        },
      })),
    ));

  test('pages for readers', async () => {
    const places = hosts().flatMap(({ site, served }) => [site, { ...site, output: served }]);
    for (const place of places) putPages(place);
    await holdAll(hosts().flatMap((host) => pageTrials(host, { isPlayed: true })));
    for (const place of places) removePages(place);
  });

  // As on Pages without a 404.html.
  test('a home page that stands for every absent file is not the page', () =>
    holdAll(
      hosts().map(
        ({ title, site, served, ask }): Trial => ({
          host: title,
          request: '/content/',
          hold: async (compare) => {
            writeFileSync(join(served, 'index.html'), 'The home page.');
            const { status, headers } = await ask({ path: `${site.basePath}/content/` });
            rmSync(join(served, 'index.html'));
            compare('status', status, 404);
            compare('content-type', headers['content-type'], 'application/json; charset=utf-8');
          },
        }),
      ),
    ));

  test('the worker asks for the content key when it was bundled with their hashes', async () => {
    const [whole, , fewest] = hosts();
    if (whole === undefined || fewest === undefined) throw new Error('There are four.');
    const { ask, end } = await startWorker(fewest.site, { keys: ['right'] });
    onTestFinished(end);
    const answers = await Promise.all(
      ['', '?key=wrong'].map((query) => ask({ path: `/content/posts/${query}` })),
    );
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*');
    const [missing] = answers;
    const { errors } = JSON.parse(missing?.body.toString() ?? '') as { errors: object[] };
    expect(Object.keys(errors[0] ?? {})).toHaveLength(9);
    await holdGuarded(ask);

    // No shared cache keeps a blob there.
    const guarded = await startWorker(whole.site, { keys: ['right'] });
    onTestFinished(guarded.end);
    const cacheOf = async (file: string): Promise<unknown> =>
      (await guarded.ask({ path: `/content/${file}?key=right` })).headers['cache-control'];
    expect(await cacheOf(TEXT_BLOB)).toBe('private, max-age=31536000, immutable');
    expect(await cacheOf('packed/root.json')).toBe('public, max-age=0, must-revalidate');
  });
});
