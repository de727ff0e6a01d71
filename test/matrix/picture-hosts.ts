// A folder on each kind of host that serves it, as `hosts write` says.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { HTTP_FILE, SERVER_FILE } from '../../src/publish/hosts/nginx/files.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { CONTENT } from '../helpers/serve.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
import { askAt } from './ask.ts';
import { CADDY_INSTALL, runCaddy } from './caddy-process.ts';
import { NGINX_INSTALL, startNginx } from './nginx-process.ts';
import { missing } from './program.ts';
import { uploadTo } from './start-worker.ts';
import { startWorkerd } from './workerd-process.ts';

type Picture = { readonly status: number; readonly type: string | null; readonly body: Buffer };

export type PictureHost = {
  readonly name: string;
  /** `path`: below content/. The type is null where the host has no say in it. */
  readonly ask: (path: string) => Promise<Picture>;
};

/** Why no host can be started, or null. */
export const missingHosts = (): string | null =>
  missing('nginx', NGINX_INSTALL) ??
  missing('caddy', CADDY_INSTALL) ??
  missing('apache2', APACHE_INSTALL);

export const portHost = (name: string, port: number): PictureHost => ({
  name,
  ask: async (path) => {
    const { status, headers, body } = await askAt(port)({ path: `/content/${path}` });
    return { status, type: headers['content-type'] ?? '', body };
  },
});

const folderHost = (folder: string): PictureHost => ({
  name: 'a folder',
  ask: async (path) => {
    const file = join(folder, CONTENT, decodeURIComponent(path));
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const body = isThere ? readFileSync(file) : Buffer.of();
    return { status: isThere ? 200 : 404, type: null, body };
  },
});

type Start = (folder: string) => Promise<{ readonly port: number; readonly end: () => unknown }>;

const write = async (folder: string, host: string): Promise<string> => {
  await prepress(folder, ['hosts', 'write', host, '--to', host]);
  return join(folder, host);
};

const STARTS: Readonly<Record<string, Start>> = {
  nginx: async (folder) => {
    const rules = await write(folder, 'nginx');
    const [http, server] = [HTTP_FILE, SERVER_FILE].map((name) => `include ${join(rules, name)};`);
    return startNginx({
      folder: join(folder, 'nginx-run'),
      http: http ?? '',
      server: server ?? '',
    });
  },
  Caddy: async (folder) => {
    const rules = await write(folder, 'caddy');
    const text = readFileSync(join(rules, 'prepress.caddy'), 'utf8');
    const snippet = /^\((\w+)\) {/m.exec(text)?.[1] ?? '';
    return runCaddy(rules, { snippet, others: '' });
  },
  Apache: async (folder) => {
    await prepress(folder, ['hosts', 'write', 'apache']);
    return startApache({ output: join(folder, 'output') });
  },
  workerd: async (folder) => {
    const rules = await write(folder, 'cloudflare');
    const served = join(folder, 'assets');
    const ignored = readFileSync(join(folder, 'output/.assetsignore'), 'utf8');
    uploadTo({ output: join(folder, 'output') }, { served, ignored });
    mkdirSync(join(folder, 'workerd'));
    const worker = readFileSync(join(rules, 'worker.js'), 'utf8');
    return startWorkerd({ folder: join(folder, 'workerd'), output: served, worker });
  },
};

/** Ended with the test. */
export const startPictureHosts = async (folder: string): Promise<PictureHost[]> => {
  const hosts = [folderHost(folder)];
  for (const [name, start] of Object.entries(STARTS)) {
    const { port, end } = await start(folder);
    onTestFinished(async () => void (await end()));
    hosts.push(portHost(name, port));
  }
  return hosts;
};

/** What the host of assets has is a copy. */
export const uploadAgain = (folder: string): void => {
  const ignored = readFileSync(join(folder, 'output/.assetsignore'), 'utf8');
  uploadTo({ output: join(folder, 'output') }, { served: join(folder, 'assets'), ignored });
};
