// Several programs on one publication: builds that meet, and a server and the command line that edit at
// the same time. One waits for the other; nothing is lost and nothing is done twice.
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/sqlite/driver.ts';
import { untilDelivered } from '../battery/outbox-state.ts';
import { cleanTree, expectTree, SITE } from '../helpers/clean-tree.ts';
import { eventually } from '../helpers/eventually.ts';
import { insertRow } from '../helpers/publication.ts';
import { listenForDeliveries, noticedOf } from '../helpers/receiver.ts';
import { prepress, runPrepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication, openShell, RECEIVER_ALLOWED, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init', '--site-url', SITE]);
  return folder.remove;
});

type Built = {
  readonly kind: string;
  readonly generation: number;
  readonly files: { readonly written: number };
};

const build = async (folder: string, ...args: string[]): Promise<Built> =>
  JSON.parse(await prepress(folder, ['build', '--json', ...args])) as Built;

test('of two builds at once one waits, and both succeed', async () => {
  const folder = copyPublication(template);
  const lock = new (loadDriver())(join(folder, 'data/build.lock.db'));
  lock.exec('BEGIN EXCLUSIVE');
  const ended: string[] = [];
  const builds = ['first', 'second'].map(async (name) => {
    const built = await build(folder);
    ended.push(name);
    return built;
  });
  // As long as builds take here.
  for (const other of [1, 2])
    await build(copyPublication(template), `--site-url=https://${other}.test`);
  expect(ended).toEqual([]);
  lock.close();
  const [one, other] = (await Promise.all(builds)).sort(
    (a, b) => b.files.written - a.files.written,
  );
  expect(one).toMatchObject({ kind: 'full', generation: 1 });
  expect(one?.files.written).toBeGreaterThan(200);
  expect(other).toMatchObject({ generation: 1, files: { written: 0 } });
  const shell = openShell(folder);
  expectTree(join(folder, CONTENT), await cleanTree(shell));
  expect(shell.prepare('SELECT count(*) FROM builds').pluck().get()).toBe(1);
});

test('full and incremental builds that race leave the tree of one', async () => {
  const folder = copyPublication(template);
  const shell = openShell(folder);
  await build(folder);
  shell.exec("UPDATE posts SET title = title || ' again'");
  const built = await Promise.all([
    build(folder),
    build(folder, '--full'),
    build(folder),
    build(folder, '--full'),
  ]);
  expect(built.map(({ generation }) => generation)).toEqual([2, 2, 2, 2]);
  expect(built.filter(({ files }) => files.written > 0)).toHaveLength(1);
  expectTree(join(folder, CONTENT), await cleanTree(shell));
  expect((await runPrepress(folder, ['verify'])).code).toBe(0);
});

/** While others work, too: one edit after the other. */
const inTurn = async <T>(all: readonly T[], edit: (one: T) => Promise<void>): Promise<void> => {
  for (const one of all) await edit(one);
};

test('a server, the command line and another program edit at once: nothing is lost', async () => {
  const folder = copyPublication(template);
  const serving = await serve(folder);
  const shell = openShell(folder);
  const listener = await listenForDeliveries();
  onTestFinished(listener.close);
  for (const event of ['post.published', 'site.changed']) await listener.subscribe(serving, event);
  const drafts = Array.from({ length: 12 }, (_, at) => {
    const slug = `draft-${at}`;
    return {
      slug,
      id: insertRow(shell, 'posts', { slug, updated_at: '2026-01-01T00:00:00.000Z' }),
    };
  });
  const [typed, saved, written] = [drafts.slice(0, 3), drafts.slice(3, 8), drafts.slice(8)];
  await Promise.all([
    ...typed.map(({ slug }) =>
      prepress(folder, ['publish', slug], { environment: RECEIVER_ALLOWED }),
    ),
    inTurn(saved, async ({ id }) => {
      const edit = { status: 'published', updated_at: '2026-01-01T00:00:00.000Z' };
      await serving.admin('PUT', `/posts/${id}/`, { posts: [edit] });
    }),
    inTurn(written, async ({ id, slug }) => {
      shell.prepare("UPDATE posts SET status = 'published' WHERE id = ?").run(id);
      const isTold = () =>
        noticedOf(listener, 'post.published').some((one) => one.record.slug === slug);
      await eventually(() => expect(isTold(), slug).toBe(true));
    }),
  ]);
  // Whatever more would come is queued with a build: none is open, and no delivery either.
  await untilDelivered(shell);
  const published = noticedOf(listener, 'post.published');
  expect(published.map(({ record }) => record.slug).sort()).toEqual(
    drafts.map(({ slug }) => slug).sort(),
  );
  const generations = noticedOf(listener, 'site.changed').map(({ generation }) => generation);
  expect(new Set(generations).size).toBe(generations.length);
  for (const { generation } of published) expect(generations).toContain(generation);
  expectTree(join(folder, CONTENT), await cleanTree(shell));
  expect(serving.log()).not.toContain('"level":50');
  expect((await runPrepress(folder, ['verify'])).code).toBe(0);
});
