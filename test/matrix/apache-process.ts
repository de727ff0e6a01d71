// A real Apache that serves an output with its .htaccess, in the foreground.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort, type RunningProgram, startProgram } from './program.ts';

export const APACHE_INSTALL = 'apt-get install apache2';

const MODULES = ['mpm_event', 'authz_core', 'mime', 'dir', 'rewrite', 'headers'];

type ApacheOptions = {
  /** Folder that it serves; what it writes lies beside it. */
  readonly output: string;
  readonly modules?: readonly string[];
  /** Further directives of the server. */
  readonly directives?: string;
};

export const startApache = async (
  options: ApacheOptions,
): Promise<RunningProgram & { readonly port: number }> => {
  const { output, modules = [], directives = '' } = options;
  const folder = dirname(output);
  const port = await freePort();
  const loaded = [...MODULES, ...modules].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = join(folder, `httpd-${port}.conf`);
  writeFileSync(
    config,
    `${loaded.join('\n')}
ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/httpd-${port}.pid
Listen 127.0.0.1:${port}
ErrorLog ${folder}/error.log
TypesConfig /etc/mime.types
StartServers 1
ThreadsPerChild 4
MaxRequestWorkers 4
DocumentRoot ${output}
${directives}
<Directory ${output}>
  AllowOverride All
  Require all granted
</Directory>
`,
  );
  const program = await startProgram(['apache2', '-X', '-f', config], { cwd: folder, port });
  return { ...program, port };
};
