// A real Varnish with generated rules in front of a server on this machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostSite } from '../../src/publish/hosts/host.ts';
import { varnishFiles } from '../../src/publish/hosts/varnish/files.ts';
import { hostSiteOf } from './host-site.ts';
import { freePort } from './program.ts';
import type { MatrixSite } from './site.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

export const VARNISH_INSTALL = 'apt-get install varnish';

type VarnishOptions = Partial<HostSite> & {
  /** A VCL of the owner, which includes the generated one; what is kept does not age then. */
  readonly own?: string;
};

export const startVarnish = async (
  site: MatrixSite,
  originPort: number,
  { own, ...hostSite }: VarnishOptions = {},
): Promise<RunningProgram & { readonly port: number }> => {
  const port = await freePort();
  const folder = join(dirname(site.output), `varnish-${port}`);
  mkdirSync(folder);
  const origin = { host: '127.0.0.1', port: originPort };
  for (const { path, text } of varnishFiles(hostSiteOf(site, { origin, ...hostSite })))
    writeFileSync(join(folder, path), text.replace('ttl = 10s', own ? 'ttl = 1h' : 'ttl = 2s'));
  if (own !== undefined) writeFileSync(join(folder, 'own.vcl'), own);
  const command = ['varnishd', '-F', '-j', 'none', '-a', `127.0.0.1:${port}`, '-T', 'none'];
  const store = [
    '-n',
    folder,
    '-s',
    'malloc,16m',
    '-f',
    join(folder, own ? 'own.vcl' : 'prepress.vcl'),
  ];
  return { ...(await startProgram([...command, ...store], { cwd: folder, port })), port };
};
