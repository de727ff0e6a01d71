// The steps of the Dockerfile, run in a chroot, and the program that comes of them, read-only behind nginx as in
// compose.yaml. Long form only: the system that the stages begin with is made anew.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { askAt } from '../matrix/ask.ts';
import { NGINX_INSTALL } from '../matrix/nginx-process.ts';
import { startPackagedNginx } from '../matrix/packaged-nginx.ts';
import { freePort, missing } from '../matrix/program.ts';
import { buildImage, findWritten, type Image, inContainer } from './container-image.ts';
import { IS_LONG } from './size.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The image's version of Node.js, or this one where it may stand for it. */
const findNode = (): string | undefined => {
  const named = (process.env.PREPRESS_TEST_NODES ?? '').split(delimiter).filter(Boolean);
  return [...named, process.execPath].find((node) => versionOf(node).startsWith('v24.'));
};

const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

const node = findNode();

const reasonToSkip = (): string | null => {
  if (!IS_LONG) return 'PREPRESS_BATTERY=long';
  if (process.getuid?.() !== 0) return 'needs root to change into a folder';
  if (node === undefined) return 'needs PREPRESS_TEST_NODES, with a program of Node.js 24';
  return (
    missing('debootstrap', 'apt-get install debootstrap') ??
    missing('unshare', 'apt-get install util-linux') ??
    missing('nginx', NGINX_INSTALL)
  );
};

const reason = reasonToSkip();

const startContainer = async (image: Image, environment: Readonly<Record<string, string>>) => {
  const [command = '', ...args] = inContainer(image, image.command, environment);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  return { child, ended: once(child, 'close'), said: () => said };
};

describe.skipIf(reason !== null)(
  `the image${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('is made by the steps of the Dockerfile, and serves the sample read-only behind nginx', async () => {
      const folder = temporaryFolder();
      const image = buildImage(read('Dockerfile'), { project: ROOT, folder, node: node ?? '' });
      const built = Date.now();
      const port = await freePort();
      const environment = { PREPRESS_HOST: '127.0.0.1', PREPRESS_PORT: String(port) };
      const { child, ended, said } = await startContainer(image, environment);
      const check = inContainer(image, image.health, environment);
      const isHealthy = (): void => {
        const [command = '', ...args] = check;
        if (child.exitCode !== null) throw new Error(`It ended: ${said()}`);
        execFileSync(command, args, { stdio: 'pipe' });
      };
      await eventually(isHealthy, 500);
      const nginx = await startPackagedNginx({
        folder: join(folder, 'nginx'),
        output: join(image.root, 'srv/prepress/output'),
        companion: port,
      });
      onTestFinished(nginx.end);
      const ask = askAt(nginx.port);
      const posts = await ask({ path: '/content/posts/?limit=1' });
      expect([posts.status, posts.body.toString().slice(0, 9)]).toEqual([403, '{"errors"']);
      const key = /[?]key=(\S+)/.exec(said())?.[1];
      await eventually(async () => {
        const keyed = await ask({ path: `/content/posts/?limit=1&key=${key}` });
        expect(keyed.status, said()).toBe(200);
      }, 500);
      await eventually(async () => {
        const page = await ask({ path: '/the-foghorn-tuner/' });
        expect(page.status).toBe(200);
        expect(page.headers['content-type']).toContain('text/html');
      }, 500);
      const { uid } = JSON.parse(
        execFileSync('stat', ['-c', '{"uid":%u}', `/proc/${child.pid}`], { encoding: 'utf8' }),
      ) as { uid: number };
      expect(uid).toBe(1000);
      expect(findWritten(image, built)).toEqual([]);
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    });
  },
);
