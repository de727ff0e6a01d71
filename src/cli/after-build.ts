// What is written with every build beside the tree: the list of its changes, and the description of the
// content interface. The files of hosts are written by write-hosts.ts.
import { dirname, join } from 'node:path';
import type { BuildReport } from '../build/run-build.ts';
import { contentOpenApi } from '../contract/openapi/content-document.ts';
import { changesOf, writeChanges } from '../deploy/changes.ts';
import { placeHostFiles } from '../emit/host-files.ts';
import { purgeOptionsOf } from './purge-options.ts';
import type { Workspace } from './workspace.ts';

/** Says in data/changes.json what a build changed; one that changed nothing leaves it as it is. */
export const writeBuildChanges = (
  workspace: Pick<Workspace, 'config' | 'paths' | 'manifest'>,
  report: BuildReport,
): void => {
  if (report.files.written + report.files.removed === 0) return;
  const changes = changesOf(report, purgeOptionsOf(workspace));
  writeChanges(dirname(workspace.paths.manifest), changes);
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
