// Slow clients and crowds against the running command: the server sheds them and goes on answering. wrk
// and slowhttptest (Debian's packages) are used where they are installed.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication, type Serving, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
beforeAll(() => prepress(suite.path, ['init', '--site-url', 'https://site.test']));
afterAll(suite.remove);

const isInstalled = (command: string): boolean =>
  spawnSync('which', [command], { stdio: 'ignore' }).status === 0;

const open = async ({ url }: Serving): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const expectAnswering = async (serving: Serving): Promise<void> => {
  expect((await serving.get('/health')).status).toBe(200);
  expect(await serving.admin('GET', '/site/')).toMatchObject({ site: {} });
  expect((await serving.get(`/content/posts/?key=${serving.contentKey}`)).status).toBe(200);
};

test('a body that never ends is cut off after 30 s, also when it drips', async () => {
  const serving = await serve(copyPublication(suite.path));
  const started = performance.now();
  const socket = await open(serving);
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  socket.write('POST /admin/tags/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{');
  const dripping = setInterval(() => socket.write(' '), 500);
  onTestFinished(() => clearInterval(dripping));
  await expectAnswering(serving);
  await once(socket, 'close');
  const seconds = (performance.now() - started) / 1000;
  console.log(`a dripping body was cut off after ${seconds.toFixed(1)} s`);
  expect(seconds).toBeGreaterThan(29);
  expect(seconds).toBeLessThan(36);
  expect(said).toMatch(/^HTTP\/1\.1 (?:408|401) /);
  await expectAnswering(serving);
});

describe.skipIf(!isInstalled('wrk'))('wrk', () => {
  test('300 connections leave it answering', async () => {
    const serving = await serve(copyPublication(suite.path));
    const page = `${serving.url}/content/posts/?include=tags&key=${serving.contentKey}`;
    const { stdout } = spawnSync('wrk', ['-t1', '-c300', '-d5s', page], { encoding: 'utf8' });
    console.log(stdout.match(/Requests\/sec.*/)?.[0]);
    expect(stdout).not.toContain('Non-2xx');
    await expectAnswering(serving);
  });
});

describe.skipIf(!isInstalled('slowhttptest'))('slowhttptest', () => {
  test.each(['-H', '-B'])('%s: slow clients are shed', async (mode) => {
    const serving = await serve(copyPublication(suite.path));
    const load = ['-c', '400', '-r', '200', '-i', '2', '-l', '12', '-p', '2', '-x', '10'];
    spawnSync('slowhttptest', [mode, ...load, '-u', `${serving.url}/admin/tags/`], {
      stdio: 'ignore',
    });
    await expectAnswering(serving);
    expect(serving.log()).not.toContain('"level":60');
  });
});
