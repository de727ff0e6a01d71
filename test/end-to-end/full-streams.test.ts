// A full disk below standard output or standard error: the work is done as ever, servers answer, build and
// end, and only what a command could not print is a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { COMMAND, prepress } from '../helpers/run-prepress.ts';
import { CONTENT, copyPublication, openShell } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const FULL = '/dev/full';
const TITLE = 'Said into a full disk';

vi.setConfig({ testTimeout: 60_000 });

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await prepress(template, ['init']);
  return folder.remove;
});

type Streams = { readonly stdout: 'pipe' | 'full'; readonly stderr: 'pipe' | 'full' };

const start = (folder: string, args: readonly string[], { stdout, stderr }: Streams) => {
  const full = openSync(FULL, 'w');
  const of = (stream: 'pipe' | 'full') => (stream === 'full' ? full : stream);
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', of(stdout), of(stderr)],
  });
  closeSync(full);
  return child;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe.skipIf(!existsSync(FULL))('a full disk below the streams (needs /dev/full)', () => {
  test('a build does all of its work, and says that it could not say so', async () => {
    const folder = copyPublication(template);
    const child = start(folder, ['build'], { stdout: 'full', stderr: 'pipe' });
    const closed = once(child, 'close') as Promise<[number]>;
    const said = child.stderr === null ? '' : text(child.stderr);
    const [[code], stderr] = await Promise.all([closed, said]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^prepress: The report could not be printed: ENOSPC at write\.\n.*\n$/);
    for (const file of ['output/openapi.json', 'output/index.html', 'data/changes.json']) {
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
    await prepress(folder, ['verify']);
  });

  test('a server listens, builds and ends', async () => {
    const folder = copyPublication(template);
    const port = await freePort();
    const args = ['serve', '--port', String(port)];
    const child = start(folder, args, { stdout: 'full', stderr: 'full' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close') as Promise<[number | null]>;
    const ask = (): Promise<number> =>
      fetch(`http://127.0.0.1:${port}/content/posts/`).then(({ status }) => status);
    await vi.waitFor(async () => expect(await ask()).toBe(403), { timeout: 20_000 });
    openShell(folder).prepare('UPDATE posts SET title = ?').run(TITLE);
    const list = join(folder, CONTENT, 'posts/index.json');
    await vi.waitFor(() => expect(readFileSync(list, 'utf8')).toContain(TITLE), {
      timeout: 20_000,
    });
    expect(await ask()).toBe(403);
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});
