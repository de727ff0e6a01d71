// The server answers while the first build runs: that nothing was built yet, then the files; and the old files
// while a later build runs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { acquireBuildLock } from '../../src/store/build-lock.ts';
import { eventually } from '../helpers/eventually.ts';
import { prepress, spawnPrepress } from '../helpers/run-prepress.ts';
import { openShell } from '../helpers/serve.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { freePort } from '../matrix/program.ts';

/** Starts a server whose builds wait until the lock is released. */
const serveHeld = async (folder: string) => {
  const lock = await acquireBuildLock(join(folder, 'data/build.lock.db'), 5_000);
  const child = spawnPrepress(folder, ['serve', '--port', '0'], {
    environment: { PREPRESS_LISTS_MAX: '2' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let printed = '';
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return { lock, printed: () => printed, log: () => log };
};

test('before the first tree everything is 503, then the files are there', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  const { lock, printed, log } = await serveHeld(folder);
  const said = /The first build begins; (http:\S+)\/ says/;
  await eventually(() => expect(printed()).toMatch(said));
  const [, url = ''] = said.exec(printed()) ?? [];
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
  expect([await statusOf('/content/x/'), await statusOf('/'), await statusOf('/health')]).toEqual([
    503, 503, 200,
  ]);
  expect(await (await fetch(`${url}/`)).text()).toContain('The first build is under way.');
  expect(await statusOf('/content/posts/')).toBe(403);
  // The addresses stand there while the first build runs.
  expect(printed()).toMatch(
    /Serving +http:[\s\S]*Content key +\S+\n[\s\S]*The first build begins;/,
  );
  lock.release();
  await eventually(() => expect(printed()).toContain('The first build is done: '));
  // What `prepress build` warns of stands in the log of a server.
  await eventually(() => expect(log()).toContain('than the setting lists.max (2)'));
  const [, key] = /Content key +(\S+)/.exec(printed()) ?? [];
  expect([await statusOf('/content/x/'), await statusOf(`/content/posts/?key=${key}`)]).toEqual([
    404, 200,
  ]);
  expect(await statusOf('/')).toBe(200);
});

test('an older tree is served while a full build waits', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init']);
  await prepress(folder, ['build']);
  // Without the manifest the next build is a full one.
  rmSync(join(folder, 'data/build.db'));
  const shell = openShell(folder);
  const port = await freePort();
  const lock = await acquireBuildLock(join(folder, 'data/build.lock.db'), 5_000);
  const child = spawnPrepress(folder, ['serve', '--port', String(port)]);
  onTestFinished(() => {
    child.kill('SIGKILL');
    lock.release();
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = async (): Promise<unknown> => expect((await fetch(`${url}/health`)).ok).toBe(true);
  await eventually(isUp);
  expect(shell.prepare('SELECT count(*) FROM posts').pluck().get()).toBeGreaterThan(0);
  expect((await fetch(`${url}/content/404.json`)).status).toBe(200);
  expect((await fetch(`${url}/content/x/`)).status).toBe(404);
  expect((await fetch(`${url}/`)).status).toBe(200);
});
