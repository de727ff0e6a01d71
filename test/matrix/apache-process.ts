// A real Apache that serves an output with its .htaccess, in the foreground.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from './program.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const APACHE_INSTALL = 'apt-get install apache2';

const MODULES = ['mpm_event', 'authz_core', 'mime', 'dir', 'rewrite', 'headers'];

/** Those that Debian enables when it installs Apache, with its own configuration of each. */
const DEBIAN =
  `access_compat alias auth_basic authn_core authn_file authz_host authz_user autoindex deflate env filter
  negotiation reqtimeout setenvif status`.split(/\s+/);

/** What else a typical server has, which must change nothing below /content. */
const OTHERS = `
${['dir', 'mime', 'autoindex', 'deflate', 'negotiation', 'setenvif'].map((name) => `Include /etc/apache2/mods-available/${name}.conf`).join('\n')}
LoadModule expires_module /usr/lib/apache2/modules/mod_expires.so
ErrorDocument 404 /missing.html
ExpiresActive On
ExpiresDefault "access plus 1 month"
Header set X-Content-Type-Options "nosniff"
Header set Cache-Control "max-age=600"
AddDefaultCharset utf-8
AddOutputFilterByType DEFLATE application/json
`;

type ApacheOptions = {
  /** Folder that it serves; what it writes lies beside it. */
  readonly output: string;
  readonly modules?: readonly string[];
  /** As Debian installs it, and beside what a typical server has. */
  readonly asUsual?: boolean;
  /** Further directives of the server. */
  readonly directives?: string;
};

export const startApache = async (
  options: ApacheOptions,
): Promise<RunningProgram & { readonly port: number }> => {
  const { output, modules = [], directives = '', asUsual = false } = options;
  const folder = dirname(output);
  const port = await freePort();
  const loaded = [...MODULES, ...(asUsual ? DEBIAN : []), ...modules].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = join(folder, `httpd-${port}.conf`);
  // It would end idle connections for want of threads, while a client sends on one of them.
  const connections = 'KeepAlive Off';
  writeFileSync(
    config,
    `${loaded.join('\n')}
ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/httpd-${port}.pid
${connections}
Listen 127.0.0.1:${port}
ErrorLog ${folder}/error.log
TypesConfig /etc/mime.types
StartServers 1
ThreadsPerChild 4
MaxRequestWorkers 4
DocumentRoot ${output}
${asUsual ? OTHERS : ''}
${directives}
<Directory ${output}>
${asUsual ? 'Options Indexes FollowSymLinks MultiViews\n  FallbackResource /index.html' : ''}
  AllowOverride All
  Require all granted
</Directory>
`,
  );
  const program = await startProgram(['apache2', '-X', '-f', config], { cwd: folder, port });
  return { ...program, port };
};
