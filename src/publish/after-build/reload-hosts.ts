// Has hosts read their rules again after these changed, which were tried before they were placed: runs the command of the
// setting hostsReload. A note in data/ says that a reload is due until the command succeeded.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { findShellFault } from '../hosts/placing/try-rules.ts';
import type { HostReport } from './write-hosts.ts';

type ReloadInput = {
  readonly reports: readonly HostReport[];
  /** Of the setting; absent: nothing runs. */
  readonly command: string | undefined;
  /** Folder beside the database, with the rules in it. */
  readonly dataFolder: string;
};

/** Names of hosts whose rules changed and that are to be reloaded by a person. Throws HOST_RELOAD_FAILED. */
export const reloadHosts = async (input: ReloadInput): Promise<string[]> => {
  const { reports, command, dataFolder } = input;
  const reloaded = reports.filter(({ isReloaded }) => isReloaded);
  const changed = reloaded.filter(({ written }) => written.length > 0).map(({ host }) => host);
  if (command === undefined) return changed;
  const due = join(dataFolder, 'hosts-reload-due');
  if (changed.length > 0) writeWhole(due, `${changed.join('\n')}\n`);
  if (!existsSync(due)) return [];
  const fault = await findShellFault(['-c', command]);
  if (fault !== null) {
    const sentence = `The command of hostsReload failed: ${fault.said}`;
    throw new PrepressError('HOST_RELOAD_FAILED', sentence);
  }
  rmSync(due, { force: true });
  return [];
};
