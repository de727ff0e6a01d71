// Has hosts read their rules again after these changed: each host that has a test of its own tries them first, then
// the command of the setting hostsReload runs. A note in data/ says that a reload is due until the command succeeded.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PrepressError } from '../base/errors.ts';
import { writeWhole } from '../emit/write-whole.ts';
import type { Host } from '../hosts/host.ts';
import { getHost } from '../hosts/hosts.ts';
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
  const reloaded = reports.filter(({ host }) => getHost(host).isReloaded === true);
  const changed = reloaded.filter(({ written }) => written.length > 0).map(({ host }) => host);
  if (command === undefined) return changed;
  const due = join(dataFolder, 'hosts-reload-due');
  if (changed.length > 0) writeWhole(due, `${changed.join('\n')}\n`);
  if (!existsSync(due)) return [];
  for (const { host } of reloaded) await tryRules(getHost(host), join(dataFolder, 'hosts', host));
  const fault = await findFault(['-c', command]);
  if (fault !== null) throw failed(`The command of hostsReload failed: ${fault.said}`);
  rmSync(due, { force: true });
  return [];
};

const failed = (message: string): PrepressError => new PrepressError('HOST_RELOAD_FAILED', message);

/** In a configuration of their own, so that it needs no rights of the host's. */
const tryRules = async ({ test, title }: Host, rules: string): Promise<void> => {
  if (test === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'prepress-host-test-'));
  try {
    const config = join(folder, 'config');
    const { text, command } = test({ rules, folder, config });
    writeFileSync(config, text);
    // Programs for administrators may lie where others do not look.
    const search = 'PATH="$PATH:/usr/sbin:/sbin" exec "$@"';
    const fault = await findFault(['-c', search, 'sh', ...command]);
    if (fault === null || fault.code === NOT_INSTALLED) return;
    throw failed(`${title} refuses its rules, so hosts were not reloaded: ${fault.said}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const TIMEOUT_MS = 60_000;

/** As a shell says it. */
const NOT_INSTALLED = 127;

type Fault = { readonly code: unknown; readonly said: string };

/** Of a shell with these arguments: the end of what it said when it failed; null when it succeeded. */
const findFault = async (args: readonly string[]): Promise<Fault | null> => {
  try {
    await promisify(execFile)('sh', args, { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 });
    return null;
  } catch (error) {
    const { code, stderr = '', message } = error as Error & { code?: unknown; stderr?: string };
    return { code, said: (stderr.trim() || message).slice(-500) };
  }
};
