// Writes the files of hosts for a workspace: one that the command names, or those that the settings name.
import { dirname } from 'node:path';
import { releasing } from '../../base/closing.ts';
import { PrepressError } from '../../base/errors.ts';
import type { Profile } from '../../content/paths/selection.ts';
import { listKeyRows } from '../../publication/store/access/keys.ts';
import { findRedirects, parseRedirects } from '../../publication/store/content/redirects.ts';
import { findSetting } from '../../publication/store/content/settings.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import { isAbsolutePath } from '../../settings/schemas.ts';
import { siteUrlOf } from '../build/output-settings.ts';
import type { PublishDeps } from '../cycle/publish-deps.ts';
import type { Host, HostSite } from '../hosts/host.ts';
import { hostSiteOf, profileFor } from '../hosts/host-site.ts';
import { getHost, hostAs } from '../hosts/hosts.ts';
import { type RemoveHostReport, removeHost } from '../hosts/placing/remove-host.ts';
import { type WriteHostReport, writeCopies, writeHost } from '../hosts/placing/write-host.ts';
import { accountName } from '../hosts/rules/publication-name.ts';
import type { TreeCopiesReport } from '../output/copies/tree-copies.ts';

export type HostReport = WriteHostReport & { readonly copies: TreeCopiesReport | null };

type WriteOptions = {
  /** Absent: as the settings have it, where the host can serve that. */
  readonly profile?: Profile | undefined;
  readonly asksKeys: boolean;
  readonly origin?: HostSite['origin'];
  readonly root?: string;
  /** Absent: as the settings have it. */
  readonly isShield?: boolean;
  readonly to?: string;
  /** Takes back what was changed in its files since they were written. */
  readonly overwrites?: boolean;
};

const LOCK_TIMEOUT_MS = 10 * 60_000;

/** One writer at a time: each clears what it finds half made. Throws BUILD_BUSY. */
export const withHostsLock = async <T>(
  { paths }: Pick<PublishDeps, 'paths'>,
  work: () => Promise<T>,
): Promise<T> => {
  const lock = await acquireBuildLock(paths.hostsLock, LOCK_TIMEOUT_MS);
  return releasing(lock, work);
};

/** The caller holds the hosts' lock. Throws what writeHost throws, and USAGE for a root that the host cannot have. */
export const writeOneHost = async (
  workspace: PublishDeps,
  given: Host,
  options: WriteOptions,
): Promise<HostReport> => {
  const { config, manifest, paths, store } = workspace;
  const isShield = (options.isShield ?? config.hostShield) && given.asShield !== undefined;
  const host = hostAs(given, isShield);
  const { profile = profileFor(host, config.profile), asksKeys, origin, root, to } = options;
  const { overwrites = false } = options;
  throwIfRelative(host, root === undefined ? 'hostRoot' : '--root', root ?? config.hostRoot);
  const site = hostSiteOf(config, manifest, {
    selection: { profile, variants: config.variants ?? null },
    keyHashes: asksKeys && host.checksKeys === true ? await contentKeyHashes(workspace) : null,
    accountName: accountName(siteUrlOf(config, await findSetting(store, 'url')), config.basePath),
    isShield,
    redirects: isShield ? [] : parseRedirects(await findRedirects(store), config.basePath),
    ...(origin !== undefined && { origin }),
    ...(root !== undefined && { root }),
  });
  const dataFolder = dirname(paths.manifest);
  const others = config.hosts;
  const report = await writeHost({
    host,
    site,
    dataFolder,
    others,
    overwrites,
    ...(to !== undefined && { to }),
  });
  const copies = await writeCopies(site, dataFolder, { asked: host.copies !== undefined });
  const limitations = [...report.limitations, ...profileNotes(host, config.profile, profile)];
  return { ...report, limitations, copies };
};

const throwIfRelative = ({ namesRoot }: Host, where: string, root: string | undefined): void => {
  if (root === undefined || namesRoot !== 'absolute' || isAbsolutePath(root)) return;
  const sentence = `must be a whole path, such as /srv/www, got "${root}".`;
  throw where === '--root'
    ? new PrepressError('USAGE', `${where} ${sentence}`)
    : new PrepressError('CONFIG_INVALID', `Setting ${where} ${sentence}`);
};

/** The caller holds the hosts' lock. Throws what removeHost throws. */
export const removeOneHost = (
  { config, manifest, paths }: PublishDeps,
  host: Host,
): Promise<RemoveHostReport> =>
  removeHost({
    host,
    site: hostSiteOf(config, manifest),
    dataFolder: dirname(paths.manifest),
    keepsCopies:
      config.profile === 'plain-files' ||
      config.hosts.some((name) => name !== host.name && getHost(name).copies !== undefined),
  });

/** The tree is whole, so the host works on the output itself; what deploys carry is not. */
const profileNotes = (host: Host, asked: Profile, profile: Profile): string[] =>
  (asked === 'by-id' || asked === 'packed') && profile !== asked
    ? [
        `${host.title} has no profile ${asked}, so it is written with ${profile}: publish the output itself, since deploys leave out ${leftOut(asked)} while the settings say ${asked}.`,
      ]
    : [];

/** What hosts with this profile are not given. */
export const leftOut = (profile: Profile): string =>
  profile === 'packed' ? 'lists and records' : 'files by slug';

/**
 * The caller holds the hosts' lock. Throws USAGE for a host that does not exist; what writeHost throws, when
 * all hosts were tried.
 */
export const writeConfiguredHosts = async (workspace: PublishDeps): Promise<HostReport[]> => {
  const { config, manifest, paths } = workspace;
  const dataFolder = dirname(paths.manifest);
  const site = hostSiteOf(config, manifest);
  // First, whatever becomes of the hosts: they may hold what was taken back.
  await writeCopies(site, dataFolder, { asked: config.profile === 'plain-files' });
  const hosts = config.hosts.map(getHost);
  const reports: HostReport[] = [];
  const failures: unknown[] = [];
  for (const host of hosts) {
    try {
      reports.push(await writeOneHost(workspace, host, { asksKeys: config.hostKeys }));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw joined(failures);
  return reports;
};

/** One error that says all of them; it counts as one of the disk when one of them is. */
const joined = (failures: readonly unknown[]): unknown => {
  const known = failures.filter((error) => error instanceof PrepressError);
  const worst = failures.find((error) => !isHostFault(error)) ?? failures[0];
  if (known.length < 2 || !(worst instanceof PrepressError)) return worst;
  const message = known.map((error) => error.message).join(' ');
  return new PrepressError(worst.code, message, { cause: worst, hint: worst.hint });
};

/** Limits of a host, somebody else's file, a host that does not exist or was not reloaded: a person has to mend them. */
export const isHostFault = (error: unknown): error is PrepressError =>
  error instanceof PrepressError &&
  ['VALIDATION', 'FILE_EXISTS', 'USAGE', 'HOST_RELOAD_FAILED'].includes(error.code);

/** SHA-256 of the content keys in force; the keys themselves are never written. */
const contentKeyHashes = async ({ store }: PublishDeps): Promise<string[]> =>
  (await listKeyRows(store))
    .filter(({ type, revoked_at }) => type === 'content' && revoked_at === null)
    .map(({ secret_sha256 }) => secret_sha256);
