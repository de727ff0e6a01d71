// What is written with every build beside the tree: the list of its changes, the description of the
// content interface, and the files of the hosts that the settings name.
import { dirname, join } from 'node:path';
import type { BuildReport } from '../build/run-build.ts';
import { contentOpenApi } from '../contract/openapi/content-document.ts';
import { changesOf, writeChanges } from '../deploy/changes.ts';
import { placeHostFiles } from '../emit/host-files.ts';
import { hostSiteOf } from '../hosts/host-site.ts';
import { getHost } from '../hosts/hosts.ts';
import { treeFiguresOf } from '../hosts/tree-figures.ts';
import { type WriteHostReport, writeHost } from '../hosts/write-host.ts';
import type { Workspace } from './workspace.ts';

/** Says in data/changes.json what a build changed; one that changed nothing leaves it as it is. */
export const writeBuildChanges = (
  { config, paths }: Pick<Workspace, 'config' | 'paths'>,
  report: BuildReport,
): void => {
  if (report.files.written + report.files.removed === 0) return;
  writeChanges(dirname(paths.manifest), changesOf(report, config.basePath));
};

/** Describes the content interface beside the tree, for tools that read OpenAPI. */
export const writeContentDescription = ({
  config,
  paths,
}: Pick<Workspace, 'config' | 'paths'>): void => {
  const text = `${JSON.stringify(contentOpenApi(), null, 1)}\n`;
  placeHostFiles({
    root: join(paths.output, config.basePath),
    record: join(dirname(paths.manifest), 'openapi-files.json'),
    files: [{ path: 'openapi.json', text }],
  });
};

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
