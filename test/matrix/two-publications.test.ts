// Several publications on one server, each answered with its own: side by side below two paths, and under two names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { apacheFiles } from '../../src/publish/hosts/apache/files.ts';
import { snippetOf } from '../../src/publish/hosts/caddy/address-handles.ts';
import { caddyFiles } from '../../src/publish/hosts/caddy/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { getHost } from '../../src/publish/hosts/hosts.ts';
import { varnishFiles } from '../../src/publish/hosts/varnish/files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { APACHE_INSTALL, startApache } from './apache-process.ts';
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
import { placeFiles } from './place-files.ts';
import { freePort, missing, missingFile } from './program.ts';
import { buildMatrixSite, type MatrixSite } from './site.ts';
import { startProgram } from './start-program.ts';
import { startWorker } from './start-worker.ts';
import { VARNISH_INSTALL } from './varnish-process.ts';

/** The first two stand in one block, the second below a path; the third has a block, or a name, of its own. */
const MAX = [3, 5, 4] as const;
const PATHS = ['', '/blog', ''] as const;
type At = 0 | 1 | 2;
const BOTH = [0, 1] as const;
const ALL = [0, 1, 2] as const;

let sites: readonly MatrixSite[];

beforeAll(async () => {
  sites = await Promise.all(
    ALL.map((at) => buildMatrixSite(PATHS[at], undefined, { settings: { 'lists.max': MAX[at] } })),
  );
  return () => {
    for (const site of sites) site.remove();
  };
});

const siteAt = (at: At): MatrixSite => {
  const site = sites[at];
  if (site === undefined) throw new Error('There are three.');
  return site;
};

const told = (at: At): Partial<HostSite> => {
  const { selection, queries } = listSiteQueries('refuse');
  return { selection, queries: { ...queries, max: MAX[at] } };
};

const hostSiteAt = (at: At, more: Partial<HostSite> = {}): HostSite =>
  hostSiteOf(siteAt(at), { ...told(at), ...more });

/** Each says the limit of its own lists. */
const expectFrom = async (at: At, port: number, asked: Asked) => {
  const { status, body } = await askAt(port)(asked);
  expect([asked.path, status], body.toString().slice(0, 200)).toEqual([asked.path, 200]);
  expect(JSON.parse(body.toString()).meta.pagination.limit, asked.path).toBe(MAX[at]);
};

type Place = {
  readonly port: number;
  readonly query?: string;
  readonly headers?: Asked['headers'];
};

/** What stands at the root has Ghost's addresses there. */
const expectBoth = async ({ port, query = 'include=tags', headers = {} }: Place) => {
  for (const at of BOTH) {
    for (const prefix of ['', '/ghost/api', '/ghost/api/v4'])
      await expectFrom(at, port, {
        path: `${PATHS[at]}${prefix}/content/posts/?${query}`,
        headers,
      });
  }
};

const expectThird = ({ port, query = 'include=tags', headers = {} }: Place) =>
  expectFrom(2, port, { path: `/content/posts/?${query}`, headers });

type NginxRules = { readonly http: string; readonly server: string };

/** What stands below a path comes first: it gives way all the same. */
const startNginxOf = async (folder: string, of: (at: At) => Promise<NginxRules>, modules = '') => {
  const [root, below, third] = await Promise.all(ALL.map(of));
  if (root === undefined || below === undefined || third === undefined) throw new Error();
  const other = await freePort();
  const block = `server { listen 127.0.0.1:${other}; ${third.server} }`;
  const server = await startNginx({
    folder,
    modules,
    http: `${root.http} ${below.http} ${third.http} ${block}`,
    server: `${below.server} ${root.server}`,
  });
  onTestFinished(() => server.end());
  return { port: server.port, other };
};

const noNginx = missing('nginx', NGINX_INSTALL);

test.skipIf(noNginx !== null)(`nginx ${noNginx ?? ''}`, async () => {
  const folder = join(temporaryFolder(), 'nginx');
  const { port, other } = await startNginxOf(folder, async (at) =>
    nginxRules(siteAt(at), join(folder, String(at)), (text) => text, told(at)),
  );
  await expectBoth({ port });
  await expectThird({ port: other });
});

const noNjs = noNginx ?? missingFile(NJS_MODULE, NJS_INSTALL);

test.skipIf(noNjs !== null)(`nginx with njs ${noNjs ?? ''}`, async () => {
  const folder = join(temporaryFolder(), 'njs');
  const load = `load_module ${NJS_MODULE};`;
  const { port, other } = await startNginxOf(
    folder,
    (at) => njsRules(hostSiteAt(at), join(folder, String(at))),
    load,
  );
  const query = 'fields=title&limit=100';
  await expectBoth({ port, query });
  await expectThird({ port: other, query });
});

const noApache = missing('apache2', APACHE_INSTALL);

test.skipIf(noApache !== null)(`Apache ${noApache ?? ''}`, async () => {
  for (const at of ALL) placeFiles(siteAt(at).output, apacheFiles(hostSiteAt(at)));
  const [root, below, third] = ALL.map((at) => siteAt(at).output);
  const other = await freePort();
  const folder = (path: string) =>
    `<Directory ${path}>\nAllowOverride All\nRequire all granted\n</Directory>`;
  const server = await startApache({
    output: root ?? '',
    modules: ['alias'],
    directives: `Alias /blog ${below}/blog
${folder(below ?? '')}
${folder(third ?? '')}
Listen 127.0.0.1:${other}
<VirtualHost 127.0.0.1:${other}>
DocumentRoot ${third}
</VirtualHost>`,
  });
  onTestFinished(() => server.end());
  await expectBoth({ port: server.port });
  await expectThird({ port: other });
});

const noCaddy = missing('caddy', CADDY_INSTALL);

test.skipIf(noCaddy !== null)(`Caddy ${noCaddy ?? ''}`, async () => {
  const folder = temporaryFolder();
  const snippets = ALL.map((at) => {
    for (const { text } of caddyFiles(hostSiteAt(at)))
      writeFileSync(join(folder, `${at}.caddy`), text);
    return `	import ${snippetOf(hostSiteAt(at))}\n`;
  });
  const [port, other] = [await freePort(), await freePort()];
  const config = join(folder, 'Caddyfile');
  writeFileSync(
    config,
    `{
	admin off
	auto_https off
}
${ALL.map((at) => `import ${folder}/${at}.caddy\n`).join('')}http://127.0.0.1:${port} {
	bind 127.0.0.1
${snippets.slice(0, 2).join('')}}
http://127.0.0.1:${other} {
	bind 127.0.0.1
${snippets[2]}}
`,
  );
  const command = ['caddy', 'run', '--config', config, '--adapter', 'caddyfile'];
  const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const server = await startProgram(command, { cwd: folder, port, environment });
  onTestFinished(() => server.end());
  await expectBoth({ port });
  await expectThird({ port: other });
});

const noVarnish = noNginx ?? missing('varnishd', VARNISH_INSTALL);

/** The rules of one in front of a server of its files. */
const writeVcl = async (folder: string, at: At): Promise<string> => {
  const server = `root ${siteAt(at).output}; merge_slashes off;`;
  const files = await startNginx({ folder: join(folder, `origin-${at}`), server });
  onTestFinished(() => files.end());
  const origin = { host: '127.0.0.1', port: files.port };
  const vcl = join(folder, `${at}.vcl`);
  for (const { text } of varnishFiles(hostSiteAt(at, { origin }))) writeFileSync(vcl, text);
  return vcl;
};

test.skipIf(noVarnish !== null)(`Varnish ${noVarnish ?? ''}`, async () => {
  const folder = temporaryFolder();
  const [root, below, third] = await Promise.all(ALL.map((at) => writeVcl(folder, at)));
  const all = join(folder, 'all.vcl');
  writeFileSync(all, `vcl 4.1;\ninclude "${root}";\ninclude "${below}";\n`);
  const names = join(folder, 'names.vcl');
  writeFileSync(
    names,
    `vcl 4.1;
backend none none;
sub vcl_recv {
    if (req.http.host == "third.example") {
        return (vcl(third));
    }
    return (vcl(both));
}
`,
  );
  const loads = [
    ...[`vcl.load all ${all}`, 'vcl.label both all'],
    ...[`vcl.load other ${third}`, 'vcl.label third other'],
    ...[`vcl.load names ${names}`, 'vcl.use names'],
  ];
  writeFileSync(join(folder, 'load.cli'), `${loads.join('\n')}\n`);
  const port = await freePort();
  const command = ['varnishd', '-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-T', 'none'];
  const store = ['-n', join(folder, 'work'), '-s', 'malloc,16m'];
  const start = [...command, ...store, '-f', '', '-I', join(folder, 'load.cli')];
  const server = await startProgram(start, { cwd: folder, port });
  onTestFinished(() => server.end());
  await expectBoth({ port });
  await expectBoth({ port, headers: { 'x-prepress': 'forged' } });
  await expectThird({ port, headers: { host: 'third.example' } });
});

test('workers of one account', async () => {
  for (const at of ALL) {
    const { ask, end } = await startWorker(siteAt(at), { given: told(at) });
    onTestFinished(end);
    const path = `${PATHS[at]}/content/posts/?fields=title`;
    const { body } = await ask({ path });
    expect(JSON.parse(body.toString()).meta.pagination.limit).toBe(MAX[at]);
  }
});

test('Cloudflare and CloudFront call each after the address of its site', async () => {
  const namesOf = async (accountName: string): Promise<string[]> => {
    const site = hostSiteAt(0, { accountName });
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
