// A publication whose builds are told to deploys, and a folder to deploy to whose work a test can watch and break.
import { join } from 'node:path';
import { createAfterBuild } from '../../src/publish/after-build/after-build.ts';
import { outputSourceOf, targetOf } from '../../src/publish/after-build/deploy-destinations.ts';
import { publishOnce } from '../../src/publish/cycle/publish-once.ts';
import { createDirTarget } from '../../src/publish/deploy/dir/target.ts';
import {
  type Destination,
  type SyncedTarget,
  type SyncTargetOptions,
  syncTarget,
} from '../../src/publish/deploy/sync-target.ts';
import type { DeployTarget } from '../../src/publish/deploy/target.ts';
import { createPublishingSite, type PublishingSite } from './publishing-site.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { NO_SYNC, readTree } from './tree.ts';

export type WatchedTarget = {
  readonly folder: string;
  readonly setting: { readonly target: string };
  /** What was asked of it: `list`, the paths that were put, and `- path` of those removed. */
  readonly steps: string[];
  /** Called before each step but `list`; it may throw, or wait. */
  onStep: () => void | Promise<void>;
  readonly destination: () => Destination;
  readonly tree: () => Map<string, string>;
};

export type DeployingSite = PublishingSite & {
  readonly target: WatchedTarget;
  readonly build: (options?: { readonly isFull?: boolean }) => Promise<unknown>;
  readonly deploy: (options?: SyncTargetOptions) => Promise<SyncedTarget>;
  readonly output: () => Map<string, string>;
};

export const createDeployingSite = async (
  wanted: readonly string[] = [],
  flags: Record<string, unknown> = {},
): Promise<DeployingSite> => {
  const folder = join(temporaryFolder(), 'site');
  const deploy = [`dir:${folder}`];
  const site = await createPublishingSite(wanted, { deploy, ...flags });
  const after = createAfterBuild(site.deps);
  const target = watchTarget(site, folder);
  const source = outputSourceOf(site.deps);
  return {
    ...site,
    target,
    build: (options) => publishOnce(site.deps, { ...options, onBuilt: after.onBuilt }),
    deploy: (options) => syncTarget(source, target.destination(), options),
    output: () => readTree(site.deps.paths.output),
  };
};

export const watchTarget = ({ deps }: PublishingSite, folder: string): WatchedTarget => {
  const setting = { target: `dir:${folder}` };
  const steps: string[] = [];
  const watched: WatchedTarget = {
    folder,
    setting,
    steps,
    onStep: () => undefined,
    destination: () => {
      const destination = targetOf(deps, setting).destination();
      const open = async (): Promise<DeployTarget> =>
        watch(createDirTarget(folder, { durability: NO_SYNC }));
      return { ...destination, open };
    },
    tree: () => readTree(folder),
  };
  /** File by file, so that each may be the last. */
  const watch = (target: DeployTarget): DeployTarget => ({
    ...target,
    list: () => {
      steps.push('list');
      return target.list();
    },
    put: async (files) => {
      for (const file of files) {
        await watched.onStep();
        await target.put([file]);
        steps.push(file.path);
      }
    },
    remove: async (paths) => {
      for (const path of paths) {
        await watched.onStep();
        await target.remove([path]);
        steps.push(`- ${path}`);
      }
    },
  });
  return watched;
};
