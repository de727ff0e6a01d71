// Writes the files of hosts for a workspace: one that the command names, or those that the settings name.
import { dirname } from 'node:path';
import type { TreeCopiesReport } from '../emit/tree-copies.ts';
import type { Host, HostSite } from '../hosts/host.ts';
import { hostSiteOf, profileFor } from '../hosts/host-site.ts';
import { getHost } from '../hosts/hosts.ts';
import { updateShards, type WriteHostReport, writeCopies, writeHost } from '../hosts/write-host.ts';
import type { Profile } from '../paths/selection.ts';
import { listKeyRows } from '../store/keys.ts';
import type { Workspace } from './workspace.ts';

export type HostReport = WriteHostReport & { readonly copies: TreeCopiesReport | null };

type WriteOptions = {
  /** Absent: as the settings have it, where the host can serve that. */
  readonly profile?: Profile | undefined;
  readonly asksKeys: boolean;
  readonly origin?: HostSite['origin'];
  readonly to?: string;
};

/** Throws what writeHost throws. */
export const writeOneHost = async (
  workspace: Workspace,
  host: Host,
  options: WriteOptions,
): Promise<HostReport> => {
  const { config, manifest, paths } = workspace;
  const { profile = profileFor(host, config.profile), asksKeys, origin, to } = options;
  const site = hostSiteOf(config, manifest, {
    selection: { profile, variants: config.variants ?? null },
    keyHashes: asksKeys && host.checksKeys === true ? await contentKeyHashes(workspace) : null,
    ...(origin !== undefined && { origin }),
  });
  const dataFolder = dirname(paths.manifest);
  const report = await writeHost({ host, site, dataFolder, ...(to !== undefined && { to }) });
  const copies = writeCopies(site, dataFolder, { asked: host.copies !== undefined });
  return { ...report, copies };
};

/** Throws USAGE for a host that does not exist; what writeHost throws, when all hosts were tried. */
export const writeConfiguredHosts = async (workspace: Workspace): Promise<HostReport[]> => {
  const { config, manifest, paths } = workspace;
  const hosts = config.hosts.map(getHost);
  const dataFolder = dirname(paths.manifest);
  const site = hostSiteOf(config, manifest);
  writeCopies(site, dataFolder, { asked: config.profile === 'dumb' });
  updateShards(site, dataFolder);
  const reports: HostReport[] = [];
  const failures: unknown[] = [];
  for (const host of hosts) {
    try {
      reports.push(await writeOneHost(workspace, host, { asksKeys: config.hostKeys }));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return reports;
};

/** SHA-256 of the content keys in force; the keys themselves are never written. */
const contentKeyHashes = async ({ store }: Workspace): Promise<string[]> =>
  (await listKeyRows(store.reader))
    .filter(({ type, revoked_at }) => type === 'content' && revoked_at === null)
    .map(({ secret_sha256 }) => secret_sha256);
