// Has a host's own program try its rules before they are placed, in a folder and a configuration of their own, so that it
// needs no rights of the host's. Where the program is not installed, nothing is tried.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PrepressError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/make-folder.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../base/files/scratch-folder.ts';
import type { Host, HostSite } from '../host.ts';

/** Throws VALIDATION with what the program says. */
export const tryRules = async (host: Host, site: HostSite): Promise<void> => {
  if (host.test === undefined) return;
  const folder = makeScratchFolder('rules');
  try {
    const rules = join(folder, 'rules');
    // They name their own folder.
    for (const { path, text } of await host.files(site, rules)) {
      makeFolder(dirname(join(rules, path)));
      writeFileSync(join(rules, path), text.replaceAll(CACHE_FOLDER, `${folder}/`));
    }
    const config = join(folder, 'config');
    const { text, command } = host.test({ rules, folder, config }, site);
    writeFileSync(config, text);
    // Programs for administrators may lie where others do not look.
    const search = 'PATH="$PATH:/usr/sbin:/sbin" exec "$@" >/dev/null';
    const fault = await findShellFault(['-c', search, 'sh', ...command]);
    if (fault === null || fault.code === NOT_INSTALLED || fault.code === 'ENOENT') return;
    const said = fault.said.replaceAll(folder, '').replace(/\s+/g, ' ');
    const sentence = `${host.title} rejects these rules, so the present ones stay: ${said}`;
    throw new PrepressError('VALIDATION', sentence);
  } finally {
    removeScratchFolder(folder);
  }
};

/** Where servers may keep answers; whoever tries rules may have no right to it. */
export const CACHE_FOLDER = '/var/cache/';

const TIMEOUT_MS = 60_000;

/** As a shell says it; where there is no shell, as in some containers, it is ENOENT. */
const NOT_INSTALLED = 127;

type ShellError = Error & { code?: unknown; killed?: boolean; stderr?: string };

type Fault = { readonly code: unknown; readonly said: string };

/** Of a shell with these arguments: the end of what it said when it failed; null when it succeeded. */
export const findShellFault = async (args: readonly string[]): Promise<Fault | null> => {
  try {
    await promisify(execFile)('sh', args, { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 });
    return null;
  } catch (error) {
    const { code, killed, stderr = '', message } = error as ShellError;
    const isLate = killed === true && code === null;
    const said = isLate ? `it took more than ${TIMEOUT_MS / 1_000} seconds` : stderr.trim();
    return { code, said: (said || message).slice(-500) };
  }
};
