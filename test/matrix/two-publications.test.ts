// Two publications on one server, each answered with its own: side by side below two paths, or under two names.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { snippetOf } from '../../src/hosts/caddy/address-handles.ts';
import { caddyFiles } from '../../src/hosts/caddy/files.ts';
import type { HostSite } from '../../src/hosts/host.ts';
import { getHost } from '../../src/hosts/hosts.ts';
import { varnishFiles } from '../../src/hosts/varnish/files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type Asked, askAt } from './ask.ts';
import { CADDY_INSTALL } from './caddy-process.ts';
import { hostSiteOf } from './host-site.ts';
import { listSiteQueries } from './list-site.ts';
import {
  NGINX_INSTALL,
  NJS_INSTALL,
  NJS_MODULE,
  nginxRules,
  njsRules,
  startNginx,
} from './nginx-process.ts';
import { freePort, missing, missingFile, startProgram } from './program.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { VARNISH_INSTALL } from './varnish-process.ts';

const MAX = [3, 5] as const;

let sites: readonly [MatrixSite, MatrixSite];

beforeAll(async () => {
  const [first, second] = MAX;
  sites = [
    await buildMatrixSite('', undefined, { settings: { 'lists.max': first } }),
    await buildMatrixSite('/blog', undefined, { settings: { 'lists.max': second } }),
  ];
  return async () => {
    for (const site of sites) await site.remove();
  };
});

const told = (at: 0 | 1): Partial<HostSite> => {
  const { selection, queries } = listSiteQueries('refuse');
  return { selection, queries: { ...queries, max: MAX[at] } };
};

/** Each says the limit of its own lists. */
const expectOwn = async (port: number, query = 'include=tags', others: Partial<Asked> = {}) => {
  for (const at of [0, 1] as const) {
    const path = `${at === 0 ? '' : '/blog'}/content/posts/?${query}`;
    const { status, body } = await askAt(port)({ path, ...others });
    expect([path, status], body.toString().slice(0, 200)).toEqual([path, 200]);
    expect(JSON.parse(body.toString()).meta.pagination.limit, path).toBe(MAX[at]);
  }
};

const noNginx = missing('nginx', NGINX_INSTALL);

test.skipIf(noNginx !== null)(`nginx, in one server block ${noNginx ?? ''}`, async () => {
  const folder = join(dirname(sites[0].output), 'nginx-two');
  const rules = ([0, 1] as const).map((at) =>
    nginxRules(sites[at], join(folder, String(at)), (text) => text, told(at)),
  );
  const join2 = (part: 'http' | 'server') => rules.map((one) => one[part]).join(' ');
  const server = await startNginx({ folder, http: join2('http'), server: join2('server') });
  onTestFinished(() => server.end());
  await expectOwn(server.port);
});

const noNjs = noNginx ?? missingFile(NJS_MODULE, NJS_INSTALL);

test.skipIf(noNjs !== null)(`nginx with njs ${noNjs ?? ''}`, async () => {
  const folder = join(dirname(sites[0].output), 'njs-two');
  const [first, second] = await Promise.all(
    ([0, 1] as const).map((at) =>
      njsRules(hostSiteOf(sites[at], told(at)), join(folder, String(at))),
    ),
  );
  if (first === undefined || second === undefined) throw new Error('There are two.');
  const server = await startNginx({
    folder,
    modules: first.modules,
    http: `${first.http} ${second.http}`,
    server: `${first.server} ${second.server}`,
  });
  onTestFinished(() => server.end());
  await expectOwn(server.port, 'fields=title&limit=100');
});

const noCaddy = missing('caddy', CADDY_INSTALL);

test.skipIf(noCaddy !== null)(`Caddy, in one site ${noCaddy ?? ''}`, async () => {
  const folder = join(temporaryFolder(), 'caddy-two');
  mkdirSync(folder, { recursive: true });
  const all = ([0, 1] as const).map((at) => hostSiteOf(sites[at], told(at)));
  for (const [at, site] of all.entries())
    for (const { text } of caddyFiles(site)) writeFileSync(join(folder, `${at}.caddy`), text);
  const port = await freePort();
  const config = join(folder, 'Caddyfile');
  writeFileSync(
    config,
    `{
	admin off
	auto_https off
}
import ${folder}/0.caddy
import ${folder}/1.caddy
http://127.0.0.1:${port} {
	bind 127.0.0.1
${all.map((site) => `	import ${snippetOf(site)}\n`).join('')}}
`,
  );
  const command = ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'];
  const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const server = await startProgram(command, { cwd: folder, port, environment });
  onTestFinished(() => server.end());
  await expectOwn(port);
});

const noVarnish = noNginx ?? missing('varnishd', VARNISH_INSTALL);

test.skipIf(noVarnish !== null)(`Varnish, from two servers ${noVarnish ?? ''}`, async () => {
  const folder = join(temporaryFolder(), 'varnish-two');
  mkdirSync(folder, { recursive: true });
  const includes: string[] = [];
  for (const at of [0, 1] as const) {
    const { output } = sites[at];
    const server = `root ${output}; merge_slashes off;`;
    const origin = await startNginx({ folder: join(folder, `origin-${at}`), server });
    onTestFinished(() => origin.end());
    const site = hostSiteOf(sites[at], {
      ...told(at),
      origin: { host: '127.0.0.1', port: origin.port },
    });
    for (const { text } of varnishFiles(site)) writeFileSync(join(folder, `${at}.vcl`), text);
    includes.push(`include "${folder}/${at}.vcl";`);
  }
  writeFileSync(join(folder, 'all.vcl'), `vcl 4.1;\n${includes.join('\n')}\n`);
  const port = await freePort();
  const command = ['varnishd', '-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-T', 'none'];
  const store = ['-n', join(folder, 'work'), '-s', 'malloc,16m', '-f', join(folder, 'all.vcl')];
  const server = await startProgram([...command, ...store], { cwd: folder, port });
  onTestFinished(() => server.end());
  await expectOwn(port);
  await expectOwn(port, 'include=tags', { headers: { 'x-prepress': 'forged' } });
});

test('Cloudflare and CloudFront call each after the address of its site', async () => {
  const namesOf = async (accountName: string): Promise<string[]> => {
    const site = hostSiteOf(sites[0], { accountName });
    const files = [
      ...(await getHost('cloudflare').files(site, '')),
      ...(await getHost('cloudfront').files(site, '')),
    ];
    return files.flatMap(({ text }) =>
      [...text.matchAll(/"[Nn]ame": "(prepress[^"]*)"/g)].map(([, name]) => name ?? ''),
    );
  };
  const first = await namesOf('prepress-example-com');
  expect(first.length).toBe(3);
  const second = await namesOf('prepress-example-com-blog');
  expect(first.filter((name) => second.includes(name))).toEqual([]);
});
