// A real nginx with generated rules, in the foreground, with everything it writes in one folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { HTTP_FILE, nginxFiles, SERVER_FILE } from '../../src/publish/hosts/nginx/files.ts';
import { nginxNjs } from '../../src/publish/hosts/nginx-njs/host.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort } from './program.ts';
import type { MatrixSite } from './site.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const NGINX_INSTALL = 'apt-get install nginx-light';

export type RunningNginx = RunningProgram & { readonly port: number };

type NginxOptions = {
  readonly folder: string;
  /** Directives of the server block. */
  readonly server: string;
  /** Directives of the http block. */
  readonly http?: string;
  readonly modules?: string;
};

export const startNginx = async ({
  folder,
  server,
  http = '',
  modules = '',
}: NginxOptions): Promise<RunningNginx> => {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${modules}
daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr warn;
events { worker_connections 64; }
http {
  include /etc/nginx/mime.types; access_log off; ${paths}
  ${http}
  server { listen 127.0.0.1:${port}; ${server} }
}
`,
  );
  const program = await startProgram(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    cwd: folder,
    port,
  });
  return { ...program, port };
};

/** Debian's module, and how to install it. */
export const NJS_MODULE = '/usr/lib/nginx/modules/ngx_http_js_module.so';
export const NJS_INSTALL = 'apt-get install nginx-light libnginx-mod-http-js';

/** The same with the code for njs. */
export const njsRules = async (
  site: HostSite,
  folder: string,
): Promise<{ readonly http: string; readonly server: string; readonly modules: string }> => {
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of await nginxNjs.files(site, folder))
    writeFileSync(join(folder, path), text);
  return {
    modules: `load_module ${NJS_MODULE};`,
    http: `include ${join(folder, HTTP_FILE)};`,
    server: `include ${join(folder, SERVER_FILE)};`,
  };
};

/** The directives that include a site's rules, which are written into the folder, changed as they are asked to be. */
export const nginxRules = (
  site: MatrixSite,
  folder: string,
  change: (text: string) => string = (text) => text,
  hostSite: Partial<HostSite> = {},
): { readonly http: string; readonly server: string } => {
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of nginxFiles(hostSiteOf(site, hostSite)))
    writeFileSync(join(folder, path), change(text));
  return {
    http: `include ${join(folder, HTTP_FILE)};`,
    server: `include ${join(folder, SERVER_FILE)};`,
  };
};
