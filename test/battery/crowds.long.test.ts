// Slow clients and crowds against the running command: the server sheds them and goes on answering. wrk
// and slowhttptest (Debian's packages) are used where they are installed.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepress } from '../helpers/run-prepress.ts';
import { copyPublication, type Serving, serve } from '../helpers/serve.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
beforeAll(() => prepress(suite.path, ['init', '--site-url', 'https://site.test']));
afterAll(suite.remove);

const isInstalled = (command: string): boolean =>
  spawnSync('which', [command], { stdio: 'ignore' }).status === 0;

const expectAnswering = async (serving: Serving): Promise<void> => {
  expect((await serving.get('/health')).status).toBe(200);
  expect(await serving.admin('GET', '/site/')).toMatchObject({ site: {} });
  expect((await serving.get(`/content/posts/?key=${serving.contentKey}`)).status).toBe(200);
};

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
