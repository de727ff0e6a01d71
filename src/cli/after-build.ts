// What is written with every build beside the tree: the files of the hosts that the settings name.
import { dirname } from 'node:path';
import { hostSiteOf } from '../hosts/host-site.ts';
import { getHost } from '../hosts/hosts.ts';
import { treeFiguresOf } from '../hosts/tree-figures.ts';
import { type WriteHostReport, writeHost } from '../hosts/write-host.ts';
import type { Workspace } from './workspace.ts';

/** Throws USAGE for a host that does not exist, and what writeHost throws. */
export const writeConfiguredHosts = async (workspace: Workspace): Promise<WriteHostReport[]> => {
  const { config, manifest, paths } = workspace;
  const hosts = config.hosts.map(getHost);
  if (hosts.length === 0) return [];
  const site = hostSiteOf(config, manifest);
  const tree = treeFiguresOf(manifest);
  const reports: WriteHostReport[] = [];
  for (const host of hosts) {
    reports.push(await writeHost({ host, site, tree, dataFolder: dirname(paths.manifest) }));
  }
  return reports;
};
