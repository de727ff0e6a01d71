// Carries what a command has built to the targets of the setting `deploy`, once, unless a server or `watch` runs on the same
// database: that one does, and tries again. Deliveries that wait for the targets are let go when all of them have the build.
import { PrepressError } from '../../base/errors.ts';
import { counted, shown } from '../../base/text/counted.ts';
import { isSomebodyPresent } from '../../publication/store/locks/deliverer-presence.ts';
import { heldGenerations, openGate } from '../../publication/store/webhooks/outbox.ts';
import { outputSourceOf, targetsOf } from '../../publish/after-build/deploy-destinations.ts';
import type { SyncedTarget, SyncTargetOptions } from '../../publish/deploy/sync-target.ts';
import { type Target, type Tried, tryTarget } from '../../publish/deploy/try-target.ts';
import type { Report } from './report.ts';
import type { Workspace } from './workspace.ts';

export type DeployedTarget = {
  readonly target: string;
  /** Null: it failed. */
  readonly report: SyncedTarget | null;
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type DeployedAfter = {
  /** True: a program that runs deploys; nothing was tried here. */
  readonly leftToServer: boolean;
  readonly targets: readonly DeployedTarget[];
};

export const deployAfterBuild = async (
  workspace: Workspace,
  report: Report,
): Promise<DeployedAfter> => {
  const { config, paths } = workspace;
  if (config.deploy.length === 0) return { leftToServer: false, targets: [] };
  if (isSomebodyPresent(paths.delivererLock)) return { leftToServer: true, targets: [] };
  return { leftToServer: false, targets: await deployEverywhere(workspace, report) };
};

/** To all targets at once. Says how each went, and never throws for one that failed. */
export const deployEverywhere = async (
  workspace: Workspace,
  report: Report,
  options: SyncTargetOptions = {},
): Promise<DeployedTarget[]> => {
  const source = outputSourceOf(workspace);
  const targets = await Promise.all(
    targetsOf(workspace).map(async (target) =>
      toDeployed(target, await tryTarget(source, target, options)),
    ),
  );
  for (const one of targets) printDeployed(report, one);
  await letGo(workspace, targets);
  return targets;
};

const toDeployed = ({ name }: Target, tried: Tried): DeployedTarget => {
  if (tried.isThere) return { target: name, report: tried.report, error: null };
  const { error } = tried;
  if (!(error instanceof PrepressError)) throw error;
  return { target: name, report: null, error: { code: error.code, message: error.message } };
};

const printDeployed = (report: Report, { target, report: done, error }: DeployedTarget): void => {
  if (done === null) report.print(`Not deployed to ${target}: ${error?.message}`);
  else if (done.written.length + done.removed.length > 0 || done.unchanged !== null) {
    report.print(`Deployed to ${target}: ${countsLine(done)}`);
  }
};

export const countsLine = ({ written, removed, unchanged }: SyncedTarget): string => {
  const same = unchanged === null ? '' : `, ${shown(unchanged)} unchanged`;
  return `${counted(written.length, 'file')} sent, ${shown(removed.length)} removed${same}.`;
};

/** With `readback`, a server reads the public site first. */
const letGo = async (
  { store, config }: Workspace,
  targets: readonly DeployedTarget[],
): Promise<void> => {
  if (config.readback !== undefined) return;
  const there = Math.min(...targets.map(({ report }) => report?.generation ?? 0));
  for (const { generation } of await heldGenerations(store)) {
    if (generation <= there) await store.write((tx) => openGate(tx, generation));
  }
};

/** Throws DEPLOY_FAILED when a target does not have the build. */
export const throwIfNotDeployed = ({ targets }: Pick<DeployedAfter, 'targets'>): void => {
  const failed = targets.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first === undefined) return;
  const sentence = `${failed.length} of ${counted(targets.length, 'target')} failed. ${first.target}: ${first.error?.message}`;
  throw new PrepressError('DEPLOY_FAILED', sentence);
};
