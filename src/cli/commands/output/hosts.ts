// prepress hosts: list them, or write one's files.
import { basename, resolve } from 'node:path';
import { PrepressError } from '../../../base/errors.ts';
import { hostPort } from '../../../base/net/host-port.ts';
import { counted, shown } from '../../../base/text/counted.ts';
import type { Profile } from '../../../content/paths/selection.ts';
import {
  type HostReport,
  removeOneHost,
  withHostsLock,
  writeOneHost,
} from '../../../publish/after-build/write-hosts.ts';
import type { Host } from '../../../publish/hosts/host.ts';
import { getHost, HOSTS, hostAs } from '../../../publish/hosts/hosts.ts';
import { closedReason, findClosedFolders } from '../../../publish/hosts/placing/closed-folders.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import type { Workspace } from '../../../serve/workspace/workspace.ts';
import { ANSWERED_QUERIES, answersAll, type HostName } from '../../../settings/host-names.ts';
import { isHome, NO_HOME, origin } from '../../../settings/schemas.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { SERVED, throwIfInside } from '../throw-if-inside.ts';
import { listPagesLines } from './list-pages-line.ts';

const QUERIES_SAID: Readonly<Record<(typeof ANSWERED_QUERIES)[HostName], string>> = {
  all: 'every query',
  default: 'default lists with include and page',
  none: 'no query: one variant of each list and record',
  origin: 'what the host behind it answers',
};

export const hostsList: Run = async ({ report }) => {
  const rows = HOSTS.map(({ name, title, limits, profiles = ['literal'] }) => ({
    ...{ name, title, limits, profiles },
    queries: ANSWERED_QUERIES[name],
  }));
  for (const { name, title, queries } of rows)
    report.print(`${name.padEnd(18)}${title.padEnd(41)}${QUERIES_SAID[queries]}`);
  report.data({ hosts: rows });
  return 0;
};

export const hostsWrite: Run = ({ config, report, args, options }) =>
  withWorkspace(config, async (workspace) => {
    const host = getHost(options.njs === true ? withNjs(args[0]) : (args[0] ?? ''));
    const asked = readAsked(host, config, options);
    const { output, media } = workspace.paths;
    if (
      asked.to !== undefined &&
      hostAs(host, asked.isShield ?? config.hostShield).place === 'aside'
    )
      throwIfInside(asked.to, [output, media], { reason: SERVED, what: 'the rules' });
    const result = await withHostsLock(workspace, () => writeOneHost(workspace, host, asked));
    printWritten(report, result);
    if (hostAs(host, asked.isShield ?? config.hostShield).namesRoot !== undefined) {
      const root = asked.root ?? config.hostRoot ?? resolve(config.output);
      printRoot(report, { root, output: config.output });
    }
    await printOrigin(report, workspace);
    if (!answersAll(host.name)) listPagesLines(workspace).forEach(report.print);
    const settings = config.hosts.includes(host.name) ? overridden(config, asked) : [];
    if (settings.length > 0) {
      report.print(
        `Note: builds write this host by the settings: set ${settings.join(' and ')} there too.`,
      );
    }
    result.use.split('\n').forEach(report.print);
    report.data(result);
    return 0;
  });

type Options = Readonly<Record<string, unknown>>;

/** Throws USAGE for what the host cannot do. */
const readAsked = (host: Host, config: Config, options: Options) => {
  throwIfUnable(host, options);
  const asksKeys = options.contentKeys === true;
  const isShield = options.shield === true;
  return {
    profile: parseProfile(host, options.profile),
    asksKeys: asksKeys || config.hostKeys,
    ...(typeof options.origin === 'string' && { origin: parseOrigin(options.origin) }),
    ...(typeof options.root === 'string' && { root: options.root }),
    ...(typeof options.to === 'string' && { to: resolve(options.to) }),
    ...(isShield && { isShield }),
    overwrites: options.overwrite === true,
  };
};

/** Folders of nginx, as packages set it up. */
const INCLUDED_WHOLE: ReadonlySet<string> = new Set(['conf.d', 'sites-enabled']);

const findFolderFault = (name: HostName, to: string): string | false => {
  if (isHome(to)) return `--to ${NO_HOME}.`;
  return (
    name.startsWith('nginx') &&
    INCLUDED_WHOLE.has(basename(to)) &&
    `nginx includes every file of ${to} outside of servers, where these rules cannot stand: name another folder, such as /etc/nginx/prepress.`
  );
};

const throwIfUnable = ({ name, title, checksKeys, asShield }: Host, options: Options): void => {
  const faults = [
    options.contentKeys === true &&
      checksKeys !== true &&
      `${title} cannot check content keys: leave out --content-keys, or choose cloudflare or cloudfront.`,
    options.shield === true &&
      asShield === undefined &&
      `--shield is for nginx, Caddy and Apache, not for ${title}.`,
    options.origin !== undefined &&
      name !== 'varnish' &&
      `--origin is for Varnish, not for ${title}.`,
    typeof options.to === 'string' && findFolderFault(name, options.to),
  ];
  const fault = faults.find((sentence) => sentence !== false);
  if (fault !== undefined) throw new PrepressError('USAGE', fault);
};

type Root = { readonly root: string; readonly output: string };

const printRoot = (report: Report, { root, output }: Root): void => {
  report.print(
    `The rules name the folder ${root}. If the host sees it under another path, add --root DIR.`,
  );
  for (const folder of findClosedFolders(output))
    report.print(`Note: ${folder}: ${closedReason(folder)}`);
};

/** Where a host shows pages, scripts of posts run. */
const printOrigin = async (report: Report, { config, useCases }: Workspace): Promise<void> => {
  const { siteUrl } = await useCases.site();
  if (config.adminUrl === undefined) return;
  if (new URL(config.adminUrl).origin !== new URL(siteUrl).origin) return;
  report.print(
    'Note: adminUrl and siteUrl have one origin, so a script in a post can use the key at the desk: give the desk a host name of its own.',
  );
};

const withNjs = (name: string | undefined): string => {
  if (name === 'nginx') return 'nginx-njs';
  throw new PrepressError(
    'USAGE',
    `--njs is for nginx, not for ${name}: run "prepress hosts write nginx --njs".`,
  );
};

type Asked = {
  readonly profile: Profile | undefined;
  readonly asksKeys: boolean;
  readonly origin?: Config['hostOrigin'];
  readonly root?: string;
  readonly isShield?: boolean;
};

/** The settings without which the next build undoes what an option asked for. */
const overridden = (
  config: Config,
  { profile, asksKeys, origin, root, isShield }: Asked,
): string[] => {
  const { hostOrigin } = config;
  const isOther = origin && hostPort(origin) !== hostPort(hostOrigin);
  return [
    ...(asksKeys && !config.hostKeys ? ['hostKeys'] : []),
    ...((profile ?? config.profile) !== config.profile ? ['profile'] : []),
    ...(isOther ? ['hostOrigin'] : []),
    ...(isShield === true && !config.hostShield ? ['hostShield'] : []),
    ...((root ?? config.hostRoot) !== config.hostRoot ? ['hostRoot'] : []),
  ];
};

export const hostsRemove: Run = ({ config, report, args }) =>
  withWorkspace(config, async (workspace) => {
    const host = getHost(args[0] ?? '');
    const result = await withHostsLock(workspace, () => removeOneHost(workspace, host));
    for (const path of result.removed) report.print(`Removed ${path}`);
    if (result.copies > 0)
      report.print(`Removed ${counted(result.copies, 'copy', 'copies')} (index.html).`);
    for (const path of result.changed) {
      report.print(`Note: ${path} was edited since it was written, and was left alone.`);
    }
    if (result.removed.length + result.changed.length + result.copies === 0) {
      report.print(`Nothing was written for ${host.title}.`);
    }
    if (config.hosts.includes(host.name)) {
      report.print('Note: the setting hosts names this host, so builds write it again.');
    }
    report.data(result);
    return 0;
  });

/** Where the setting hostsReload does not do it. */
export const printReload = (report: Report, hosts: readonly string[]): void => {
  if (hosts.length > 0) report.print(`Note: ${reloadNote(hosts)}`);
};

export const reloadNote = (hosts: readonly string[]): string =>
  `the rules for ${hosts.join(' and ')} changed: reload them, or set hostsReload to a command that does.`;

export const printWritten = (report: Report, result: HostReport): void => {
  const { files, written } = result;
  for (const file of files) {
    report.print(`${written.includes(file) ? 'Wrote' : 'Unchanged'} ${file}`);
  }
  printCopies(report, result);
  for (const { what, have, max } of result.limits) {
    report.print(`  ${shown(have)} ${what}; the host takes up to ${shown(max)}.`);
  }
  printNotes(report, [...result.notes, ...result.limitations]);
};

/** After a build: whole where the host is new, and then what changed. */
export const printRewritten = (report: Report, result: HostReport): void => {
  const { host, files, written, limitations } = result;
  if (files.length > 0 && written.length === files.length) {
    printWritten(report, result);
    return;
  }
  for (const file of written) report.print(`Wrote ${file}`);
  printCopies(report, result);
  printNotes(report, result.notes);
  if (limitations.length > 0) {
    report.print(
      `Note: ${getHost(host).title} has ${counted(limitations.length, 'limitation')}; "prepress hosts write ${host}" lists them.`,
    );
  }
};

const printNotes = (report: Report, notes: readonly string[]): void => {
  for (const note of notes) report.print(`Note: ${note}`);
};

const printCopies = (report: Report, { copies }: HostReport): void => {
  if (copies === null || copies.written + copies.removed + copies.blocked.length === 0) return;
  report.print(`Copies: ${shown(copies.written)} written, ${shown(copies.removed)} removed.`);
  printNotes(
    report,
    copies.blocked.map((path) => `${path} was not written by Prepress, and was left alone.`),
  );
};

const parseProfile = (host: Host, value: unknown): Profile | undefined => {
  if (value === undefined) return undefined;
  const { profiles = ['literal'] } = host;
  const found = profiles.find((profile) => profile === value);
  if (found !== undefined) return found;
  const sentence = `--profile for ${host.title} must be ${profiles.join(' or ')}, got "${value}".`;
  const other = HOSTS.find(
    (one) =>
      one.name.startsWith(`${host.name}-`) && one.profiles?.some((profile) => profile === value),
  );
  const advice = other === undefined ? '' : ` The host ${other.name} serves it.`;
  throw new PrepressError('USAGE', `${sentence}${advice}`);
};

const parseOrigin = (text: string): { host: string; port: number } => {
  const { data, error } = origin.safeParse(text);
  if (data !== undefined) return data;
  throw new PrepressError('USAGE', `--origin ${error.issues[0]?.message}, got "${text}".`);
};
