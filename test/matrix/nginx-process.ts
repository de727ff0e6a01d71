// A real nginx with a generated rules file, in the foreground, with everything it writes in one folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningProgram, startProgram } from './program.ts';

export const NGINX_INSTALL = 'apt-get install nginx-light';

export type RunningNginx = RunningProgram & { readonly port: number };

type NginxOptions = {
  readonly folder: string;
  /** Directives of the server block. */
  readonly server: string;
  readonly modules?: string;
};

export const startNginx = async ({
  folder,
  server,
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
