// What is written with every build beside the tree: files of hosts, the description of the content interface, and the list of
// the build's changes. The next build makes up a list that a process could not write: it says that everything changed.
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { contentOpenApi } from '../../content/contract/openapi/content-document.ts';
import type { BuildReport } from '../build/run-build.ts';
import type { PublishDeps } from '../cycle/publish-deps.ts';
import {
  type Changes,
  changesOf,
  everythingChanged,
  findChangesGeneration,
  writeChanges,
} from '../deploy/changes.ts';
import { openJournal } from '../deploy/journal.ts';
import { findShellFault } from '../hosts/placing/try-rules.ts';
import { placeHostFiles } from '../output/copies/host-files.ts';
import { deploysFolderOf } from './deploy-destinations.ts';
import { purgeOptionsOf } from './purge-options.ts';
import { type HostReport, withHostsLock, writeConfiguredHosts } from './write-hosts.ts';

export type WrittenHosts = {
  readonly hosts: readonly HostReport[];
  /** Names of hosts that a person has to reload. */
  readonly toReload: readonly string[];
};

/** Throws what writeConfiguredHosts and `reloaded` throw; the changes are told all the same. */
export const writeAfterBuild = (
  workspace: PublishDeps,
  report: BuildReport,
): Promise<WrittenHosts> =>
  withHostsLock(workspace, async () => {
    try {
      const hosts = await writeConfiguredHosts(workspace);
      writeContentDescription(workspace);
      return await reloaded(workspace, hosts);
    } finally {
      // Last: a cache that is told to forget an address must not find the old copy again.
      await writeBuildChanges(workspace, report);
    }
  });

/** The hosts of the settings alone, after what only their rules have. Throws the same. */
export const rewriteHosts = (workspace: PublishDeps): Promise<WrittenHosts> =>
  withHostsLock(workspace, async () => reloaded(workspace, await writeConfiguredHosts(workspace)));

/**
 * Has hosts read their rules again after these changed, which were tried before they were placed. A note in data/ says that
 * a reload is due until the command of the setting succeeded; without one, a person reloads. Throws HOST_RELOAD_FAILED.
 */
const reloaded = async (
  { config, paths }: PublishDeps,
  hosts: readonly HostReport[],
): Promise<WrittenHosts> => {
  const changed = hosts
    .filter(({ isReloaded, written }) => isReloaded && written.length > 0)
    .map(({ host }) => host);
  if (config.hostsReload === undefined) return { hosts, toReload: changed };
  const due = join(dirname(paths.manifest), 'hosts-reload-due');
  if (changed.length > 0) writeWhole(due, `${changed.join('\n')}\n`);
  if (existsSync(due)) await runReload(config.hostsReload);
  rmSync(due, { force: true });
  return { hosts, toReload: [] };
};

const runReload = async (command: string): Promise<void> => {
  const fault = await findShellFault(['-c', command]);
  if (fault === null) return;
  const sentence = `The command of hostsReload failed: ${fault.said}`;
  throw new PrepressError('HOST_RELOAD_FAILED', sentence);
};

/** Says in data/changes.json what a build changed; one that changed nothing leaves a true one as it is. */
export const writeBuildChanges = async (
  workspace: Pick<PublishDeps, 'config' | 'paths' | 'manifest'>,
  report: BuildReport,
): Promise<void> => {
  const dataFolder = dirname(workspace.paths.manifest);
  const told = findChangesGeneration(dataFolder);
  const { files, generation } = report;
  const hasChanged = files.written + files.removed > 0;
  const present = workspace.manifest.generation();
  // Also where everything changed: what is named now may be gone by the next build.
  const purgeOptions = hasChanged ? purgeOptionsOf(workspace) : null;
  const write = async (changes: Changes): Promise<void> => {
    // First: a list of changes that is told is in the journal.
    await noteForDeploys(workspace, changes, hasChanged);
    await writeChanges(dataFolder, changes);
  };
  if (purgeOptions !== null && told === generation - 1) {
    await write(await changesOf(report, purgeOptions));
  } else if (hasChanged || told !== present) {
    await write(everythingChanged(present, workspace.config.basePath));
  }
};

const noteForDeploys = async (
  { config, paths }: Pick<PublishDeps, 'config' | 'paths'>,
  changes: Changes,
  hasChanged: boolean,
): Promise<void> => {
  const journal = openJournal(deploysFolderOf(paths));
  if (config.deploy.length === 0) journal.clear();
  else await journal.add(changes, hasChanged);
};

/** Describes the content interface beside the tree, for tools that read OpenAPI. */
const writeContentDescription = ({
  config,
  paths,
}: Pick<PublishDeps, 'config' | 'paths'>): void => {
  const text = `${JSON.stringify(contentOpenApi({ shape: config.shape }), null, 1)}\n`;
  placeHostFiles({
    root: join(paths.output, config.basePath),
    record: join(dirname(paths.manifest), 'openapi-files.json'),
    files: [{ path: 'openapi.json', text }],
    overwrites: true,
  });
};
