// prepress follow: takes over the content of a source, builds, and goes on following it; or looks once; or ends it.

import { systemClock } from '../../../base/clock.ts';
import { PrepressError } from '../../../base/errors.ts';
import {
  notingFailure,
  readFollowState,
  writeFollowState,
} from '../../../publication/follow/follow-state.ts';
import {
  type SyncOptions,
  type SyncReport,
  syncOnce,
} from '../../../publication/follow/sync-once.ts';
import { openLastingSource } from '../../../publication/sources/open-source.ts';
import type { Source } from '../../../publication/sources/source.ts';
import { endFollowing, findFollowing } from '../../../publication/store/import/following.ts';
import { createAfterBuild } from '../../../publish/after-build/after-build.ts';
import { publishOnce } from '../../../publish/cycle/publish-once.ts';
import { throwIfServerDiffers } from '../../../publish/cycle/server-settings.ts';
import { imagesOfSource } from '../../../serve/program/followed-images.ts';
import { createDatabaseToFollow, placeOf, printTaken } from '../../../serve/program/following.ts';
import { throwIfNotDeployed } from '../../../serve/workspace/deploy-after.ts';
import { printImported } from '../../../serve/workspace/print-import.ts';
import { replacingSample } from '../../../serve/workspace/replacing-sample.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { noteOtherSiteUrl } from '../note-site-url.ts';
import { printBuilt } from './build.ts';
import { deployAndDeliver } from './deploy-and-deliver.ts';
import { printReload } from './hosts.ts';
import { runWatching } from './watch.ts';

export const follow: Run = async (context) => {
  const { args, options } = context;
  if (options.detach === true) return detach(context);
  const images = options.images as string | undefined;
  const withSource = (config: Config): Config => ({
    ...config,
    follow: args[0] ?? config.follow,
    followImages: images ?? config.followImages,
  });
  const config = withSource(context.config);
  if (config.follow === undefined) {
    throw new PrepressError(
      'USAGE',
      'Name the Ghost database to follow, such as mysql://ghost:password@127.0.0.1/ghost, or set "follow".',
    );
  }
  await createDatabaseToFollow(config, config.follow);
  if (options.once === true || options.compare === true) return lookOnce({ ...context, config });
  const reload = async (): Promise<Config> => withSource(await context.reload());
  return runWatching({ ...context, config, reload }, { isFollowAsked: true });
};

const detach: Run = ({ config, report }) =>
  withWorkspace(config, async ({ store }) => {
    const following = await findFollowing(store);
    const isEnded = await store.write((tx) => endFollowing(tx, systemClock.now()));
    report.print(
      isEnded
        ? `The publication no longer follows ${following?.source}; you can edit its content here.`
        : 'The publication follows no source.',
    );
    report.data({ ended: isEnded ? following?.source : null });
    return 0;
  });

/** Looks, builds, deploys and delivers. */
const lookOnce: Run = async (context) => {
  const { config, report, options } = context;
  const source = await openLastingSource(placeOf(config.follow ?? ''), { key: config.sourceKey });
  const workspace = await openWorkspace(config, { mayLead: true, fillsEmpty: true });
  try {
    await throwIfServerDiffers(workspace);
    const { store } = workspace;
    const images = imagesOfSource(workspace);
    await images?.check();
    const before = await findFollowing(store);
    const begins = before?.source !== source.name || before.detached_at !== null;
    const how = {
      begins,
      isAll: options.compare === true,
      siteUrl: config.siteUrl,
      permalinks: config.permalinks,
      renderer: workspace.useCases.formats,
      onProgress: (share: number) =>
        report.progress({ done: share, total: 1, text: `reading ${source.name}` }),
    };
    const taken = await look(workspace, source, how);
    report.endProgress();
    if (taken === null) report.print(`${source.name} has not changed.`);
    else printTaken(report, taken);
    if (begins && source.notice !== undefined) report.print(source.notice);
    const lacking = (await images?.findLacking()) ?? [];
    const brought = lacking.length === 0 ? null : ((await images?.take(lacking)) ?? null);
    if (brought !== null) printImported(report, brought);
    const after = createAfterBuild(workspace);
    const build = await publishOnce(workspace, { onBuilt: after.onBuilt });
    printBuilt(report, build, workspace.paths);
    printReload(report, after.toReload());
    noteOtherSiteUrl(report, options.siteUrl, context);
    const { pages, deployed, deliveries } = await deployAndDeliver(workspace, report);
    const failure = after.failure();
    if (failure !== null) throw failure;
    throwIfNotDeployed(deployed);
    const deploys = deployed.targets;
    report.data({ source: source.name, taken, images: brought, build, pages, deploys, deliveries });
  } finally {
    await source.close();
    await workspace.close();
  }
  return 0;
};

/** Notes for `status` what became of it. */
const look = async (
  workspace: Workspace,
  source: Source,
  how: SyncOptions,
): Promise<SyncReport | null> => {
  const { store, clock, paths } = workspace;
  const seen = { path: paths.followState, source: source.name, clock };
  const taken = await notingFailure(seen, () =>
    replacingSample(workspace, () => syncOnce({ store, source }, how)),
  );
  const checkedAt = clock.now();
  const { importedAt } = readFollowState(seen.path, seen.source);
  const state = { importedAt: taken === null ? importedAt : checkedAt, checkedAt, error: null };
  writeFollowState(seen.path, { source: seen.source, ...state });
  return taken;
};
