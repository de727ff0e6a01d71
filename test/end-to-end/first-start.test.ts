// A first start in every state: one that broke off is begun again, of several at once one makes the publication, the server
// answers while the first build runs, and serves the old files while a later one does.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../src/base/sqlite/driver.ts';
import { acquireBuildLock } from '../../src/publication/store/locks/build-lock.ts';
import { eventually } from '../helpers/eventually.ts';
import { runPrepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { DATABASE } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
afterAll(suite.remove);

const countPosts = (folder: string): number => {
  const shell = new (loadDriver())(join(folder, DATABASE), { readonly: true });
  try {
    return shell.prepare('SELECT count(*) FROM posts').pluck().get() as number;
  } finally {
    shell.close();
  }
};

test('an init that was killed is begun again, and never leaves half a publication; of three at once one makes it', async () => {
  const folder = suite.path;
  const database = join(folder, DATABASE);
  const child = spawnPrepress(folder, ['init']);
  const closed = new Promise((resolve) => child.once('close', resolve));
  await eventually(
    () => expect(existsSync(`${database}.new`) || child.exitCode !== null).toBe(true),
    1,
  );
  child.kill('SIGKILL');
  await closed;
  // It may have been faster than the kill.
  const early = existsSync(database) ? countPosts(folder) : null;
  if (early !== null) rmSync(join(folder, 'data'), { recursive: true });
  const runs = await Promise.all([1, 2, 3].map(() => runPrepress(folder, ['init'])));
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  for (const { code, stderr } of runs) if (code === 1) expect(stderr).toContain('already exists');
  const posts = countPosts(folder);
  expect(posts).toBeGreaterThan(15);
  expect(early ?? posts).toBe(posts);
});

/** Starts a server whose builds wait until the lock is released. */
const serveHeld = async (folder: string, ...options: string[]) => {
  const lock = await acquireBuildLock(join(folder, 'data/build.lock.db'), 5_000);
  const child = spawnPrepress(folder, ['serve', '--port', '0', ...options], {
    environment: { PREPRESS_LISTS_MAX: '2' },
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(async () => {
    lock.release();
    await end();
  });
  const listening = /Serving +(http:\S+)\//;
  await eventually(() => expect(said.out).toMatch(listening));
  const [, url = ''] = listening.exec(said.out) ?? [];
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
  return { lock, said, url, end, statusOf };
};

test('before the first tree everything is 503, then the files are there, also while a later build waits', async () => {
  const folder = suite.path;
  const first = await serveHeld(folder, '--sample');
  const { lock, said, url, statusOf } = first;
  // The addresses stand there while the first build runs.
  await eventually(() =>
    expect(said.out).toMatch(
      /Serving +http:[\s\S]*Content key +\S+\n[\s\S]*The first build has started;/,
    ),
  );
  expect([await statusOf('/content/x/'), await statusOf('/'), await statusOf('/health')]).toEqual([
    503, 503, 200,
  ]);
  expect(await (await fetch(`${url}/`)).text()).toContain('The first build is under way');
  expect(await statusOf('/content/posts/')).toBe(403);
  lock.release();
  await eventually(() => expect(said.out).toContain('The first build is done: '));
  // What `prepress build` warns of stands in the log of a server.
  await eventually(() => expect(said.err).toContain('than the setting lists.max (2)'));
  const [, key = ''] = /Content key +(\S+)/.exec(said.out) ?? [];
  expect([await statusOf('/content/x/'), await statusOf(`/content/posts/?key=${key}`)]).toEqual([
    404, 200,
  ]);
  // `init` could not know where it would be served.
  const { posts } = (await (await fetch(`${url}/content/posts/?key=${key}`)).json()) as {
    readonly posts: readonly { readonly url: string }[];
  };
  expect(posts[0]?.url).toMatch(new RegExp(`^http://localhost:${new URL(url).port}/`));
  // Without pages for readers.
  expect(await (await fetch(`${url}/`)).text()).toContain('Content is below /content/');
  await first.end();

  // Without the manifest the next build is a full one.
  rmSync(join(folder, 'data/build.db'));
  const later = await serveHeld(folder);
  await eventually(async () => expect(await later.statusOf('/content/404.json')).toBe(200));
  expect(await later.statusOf('/content/x/')).toBe(404);
  // Its lines are a log.
  expect(later.said.out).not.toContain(key);
});
