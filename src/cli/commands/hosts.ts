// prepress hosts: list them, or write one's files.
import { dirname, resolve } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { grouped } from '../../hosts/check-limits.ts';
import { hostSiteOf } from '../../hosts/host-site.ts';
import { getHost, HOSTS } from '../../hosts/hosts.ts';
import { treeFiguresOf } from '../../hosts/tree-figures.ts';
import { type WriteHostReport, writeHost } from '../../hosts/write-host.ts';
import { listKeyRows } from '../../store/keys.ts';
import type { Run } from '../command.ts';
import type { Report } from '../report.ts';
import { withWorkspace } from '../with-workspace.ts';
import type { Workspace } from '../workspace.ts';

export const hostsList: Run = async ({ report }) => {
  for (const { name, title } of HOSTS) report.say(`${name.padEnd(14)}${title}`);
  report.data({ hosts: HOSTS.map(({ name, title, limits }) => ({ name, title, limits })) });
  return 0;
};

export const hostsWrite: Run = ({ config, report, args, options }) =>
  withWorkspace(config, async (workspace) => {
    const host = getHost(args[0] ?? '');
    const keyHashes = options.contentKeys === true ? await contentKeyHashes(workspace) : null;
    if (keyHashes !== null && host.checksKeys !== true) {
      throw new PrepressError('USAGE', `${host.title} cannot check content keys.`);
    }
    const result = await writeHost({
      host,
      site: hostSiteOf(config, workspace.manifest, {
        keyHashes,
        ...(typeof options.origin === 'string' && { origin: parseOrigin(options.origin) }),
      }),
      tree: treeFiguresOf(workspace.manifest),
      dataFolder: dirname(workspace.paths.manifest),
      ...(typeof options.to === 'string' && { to: resolve(options.to) }),
    });
    sayWritten(report, result);
    report.say(host.use);
    report.data({ ...result, use: host.use });
    return 0;
  });

export const sayWritten = (report: Report, result: WriteHostReport): void => {
  const { folder, files, written, limits, lacks } = result;
  for (const file of files) {
    report.say(`${written.includes(file) ? 'Wrote' : 'Stands'} ${folder}/${file}`);
  }
  for (const { what, have, max } of limits) {
    report.say(`  ${grouped(have)} of ${grouped(max)} ${what}`);
  }
  for (const lack of lacks) report.say(`Note: ${lack}`);
};

/** SHA-256 of the content keys in force; the keys themselves are never written. */
const contentKeyHashes = async ({ store }: Workspace): Promise<string[]> =>
  (await listKeyRows(store.reader))
    .filter(({ type, revoked_at }) => type === 'content' && revoked_at === null)
    .map(({ secret_sha256 }) => secret_sha256);

const parseOrigin = (text: string): { host: string; port: number } => {
  const found = /^([A-Za-z0-9.-]+):(\d{1,5})$/.exec(text);
  if (found === null) throw new PrepressError('USAGE', 'An origin is HOST:PORT.');
  return { host: found[1] ?? '', port: Number(found[2]) };
};
