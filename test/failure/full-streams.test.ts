// A full disk below standard output or standard error, or nobody who reads them: the work is done as ever,
// servers answer, build and end, and only what a command could not print is a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { copiesOfInit } from '../helpers/publication-copies.ts';
import { COMMAND, prepress } from '../helpers/run-prepress.ts';
import { CONTENT, openShell } from '../helpers/serve.ts';
import { freePort } from '../matrix/program.ts';

const FULL = '/dev/full';
const TITLE = 'Said into a full disk';

const newCopy = copiesOfInit();

/** `unread`: a pipe that nobody empties. */
type Stream = 'pipe' | 'full' | 'unread';
type Streams = { readonly stdout: Stream; readonly stderr: Stream };

const start = (folder: string, args: readonly string[], { stdout, stderr }: Streams) => {
  const full = existsSync(FULL) ? openSync(FULL, 'w') : openSync('/dev/null', 'w');
  const of = (stream: Stream) => (stream === 'full' ? full : 'pipe');
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', of(stdout), of(stderr)],
  });
  closeSync(full);
  return child;
};

/** A server of a copy of the publication that answers; it is ended with the test. */
const startServer = async (streams: Streams) => {
  const folder = newCopy();
  const port = await freePort();
  const child = start(folder, ['serve', '--port', String(port)], streams);
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'exit') as Promise<[number | null, string | null]>;
  const ask = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/content/posts/`).then(({ status }) => status);
  await eventually(async () => expect(await ask()).toBe(403));
  return { folder, child, closed, ask };
};

describe.skipIf(!existsSync(FULL))('a full disk below the streams (needs /dev/full)', () => {
  test('a build does all of its work, and says that it could not say so', async () => {
    const folder = newCopy();
    const child = start(folder, ['build'], { stdout: 'full', stderr: 'pipe' });
    const closed = once(child, 'close') as Promise<[number]>;
    const said = child.stderr === null ? '' : text(child.stderr);
    const [[code], stderr] = await Promise.all([closed, said]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^prepress: The report could not be printed: the disk was full or out of inodes \(ENOSPC\)\.\n.*\n$/,
    );
    for (const file of ['output/openapi.json', 'data/changes.json']) {
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
    await prepress(folder, ['verify']);
  });

  test('a server listens, builds and ends', async () => {
    const server = await startServer({ stdout: 'full', stderr: 'full' });
    const { ask, closed, child, folder } = server;
    openShell(folder).prepare('UPDATE posts SET title = ?').run(TITLE);
    const list = join(folder, CONTENT, 'posts/index.json');
    await eventually(() => expect(readFileSync(list, 'utf8')).toContain(TITLE));
    expect(await ask()).toBe(403);
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});

test('a log that nobody reads holds up neither answers nor the end', async () => {
  const { ask, closed, child } = await startServer({ stdout: 'unread', stderr: 'unread' });
  for (let round = 0; round < 20; round += 1) {
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(403));
  }
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
});
