// A real Caddy with generated rules, in the foreground, with everything it writes in one folder.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { snippetOf } from '../../src/publish/hosts/caddy/address-handles.ts';
import { caddyFiles } from '../../src/publish/hosts/caddy/files.ts';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort } from './program.ts';
import type { MatrixSite } from './site.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const CADDY_INSTALL = 'apt-get install caddy';

type CaddyOptions = {
  /** What else its site has. */
  readonly others?: string;
  readonly hostSite?: Partial<HostSite>;
};

export const startCaddy = async (
  site: MatrixSite,
  { others = '', hostSite = {} }: CaddyOptions = {},
): Promise<RunningCaddy> => {
  const folder = mkdtempSync(join(dirname(site.output), 'caddy-'));
  for (const file of caddyFiles(hostSiteOf(site, hostSite)))
    writeFileSync(join(folder, file.path), file.text);
  return runCaddy(folder, { snippet: snippetOf(hostSiteOf(site, hostSite)), others });
};

type RunningCaddy = RunningProgram & { readonly port: number };

/** With the rules that the folder has. */
export const runCaddy = async (
  folder: string,
  { snippet, others }: { readonly snippet: string; readonly others: string },
): Promise<RunningCaddy> => {
  const port = await freePort();
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{
	admin off
	auto_https off
}
import ${folder}/prepress.caddy
http://127.0.0.1:${port} {
	bind 127.0.0.1
	import ${snippet}
${others}
}
`,
  );
  const program = await startProgram(
    ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    {
      cwd: folder,
      port,
      environment: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    },
  );
  return { ...program, port };
};
