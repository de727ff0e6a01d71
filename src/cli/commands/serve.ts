// prepress serve and prepress watch: the publisher and the deliverer, with the companion server or
// without, until a signal ends them.
import type { Config } from '../../config/settings.ts';
import { hasSummary } from '../../emit/open-session.ts';
import { loadNodemailer } from '../../mail/mailer.ts';
import { loadHttpClient } from '../../net/http-client.ts';
import { adoptQueries } from '../../publisher/adopt-queries.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import { throwIfServerDiffers } from '../../publisher/server-settings.ts';
import { uploadsOf } from '../../publisher/uploads.ts';
import { createServer } from '../../server/create-server.ts';
import { askedQueriesAt } from '../../store/sqlite/asked-queries.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';
import { createFollowing } from '../following.ts';
import { createListening, type Listening } from '../listening.ts';
import { createMetering, type Metering } from '../metering.ts';
import { createPublishing } from '../publishing.ts';
import type { Report } from '../report.ts';
import { runReloading, type Session } from '../run-reloading.ts';
import { sayAddresses, sayFirstBuild, showAddresses } from '../say-addresses.ts';
import { createLog, sayingReloads } from '../server-log.ts';
import { openWorkspace } from '../workspace.ts';

/** With --dev webhooks may reach this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** What other commands load when they send something: a program that runs for long may be replaced by then. */
const loadSenders = (): Promise<unknown> => Promise.all([loadHttpClient(), loadNodemailer()]);

export const serve: Run = async (context) => {
  const { report, options } = context;
  const images = options.images as string | undefined;
  const withFlags = (given: Config): Config => ({
    ...given,
    followImages: images ?? given.followImages,
    ...(options.dev === true && { webhookAllow: [...given.webhookAllow, ...LOOPBACK] }),
  });
  const ended = untilSignal();
  await loadSenders();
  const config = withFlags(context.config);
  if (config.follow !== undefined) await createDatabase(config, { isEmpty: true });
  await createSample(config, report, options.sample === true);
  const listening = createListening();
  const metering = createMetering();
  await runReloading({
    ...context,
    config,
    reload: async () => withFlags(await context.reload()),
    ended,
    ...sayingReloads(createLog(config, report)),
    start: (current) => startServing(current, { ...context, listening, metering }),
  });
  return undefined;
};

type Serving = {
  readonly report: Report;
  readonly options: Readonly<Record<string, unknown>>;
  readonly settingsFile: string;
  readonly listening: Listening;
  readonly metering: Metering;
};

const startServing = async (
  config: Config,
  { report, options, settingsFile, listening, metering }: Serving,
): Promise<Session> => {
  const workspace = await openWorkspace(config);
  const logger = createLog(config, report);
  const siteUrl = options.siteUrl as string | undefined;
  const following = createFollowing(workspace, { logger, report, siteUrl });
  const metrics = await metering.begin(workspace);
  const publishing = createPublishing(workspace, { logger, report, following, metrics });
  const app = createServer({
    config,
    context: workspace.useCases,
    publisher: publishing.port,
    uploads: uploadsOf(workspace.paths),
    storedSegment: (resource, slug) => workspace.manifest.storedSegment(resource, slug),
    tree: workspace.manifest,
    askedQueries: askedQueriesAt(workspace.paths.manifest),
    adoptQueries: () => adoptQueries({ ...workspace, settingsFile }),
    adminOrigin: () => config.adminUrl ?? listening.url(),
    logger,
    logsRequests: !process.stderr.isTTY || options.verbose === true,
  });
  const close = async (): Promise<void> => {
    await metering.close();
    await app.close();
    await publishing.close();
    await workspace.close();
  };
  try {
    await throwIfServerDiffers(workspace);
    const isFirst = listening.url() === '';
    await listening.listen(app, config);
    await metering.listen(workspace, logger, app.server);
    if (isFirst) await sayAddresses(workspace, report, listening.url());
    const isFirstBuild = !hasSummary(workspace.paths.contentFolder);
    const root = `${listening.url()}${config.basePath}/`;
    if (isFirstBuild) report.say(`The first build begins; ${root} says how far it is.`);
    const published = await publishing.start();
    if (isFirstBuild && published !== null) sayFirstBuild(report, published);
    if (isFirst) await showAddresses(workspace, report, listening.url());
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
};

export const watch: Run = (context) => runWatching(context, { isFollowAsked: false });

type WatchOptions = {
  /** The command is to follow a source, also one that somebody ended following. */
  readonly isFollowAsked: boolean;
};

/** Publishes and delivers, without a server, until a signal ends it. */
export const runWatching = async (
  context: Parameters<Run>[0],
  { isFollowAsked }: WatchOptions,
): Promise<undefined> => {
  const { config, report, options } = context;
  const ended = untilSignal();
  const metering = createMetering();
  await loadSenders();
  await runReloading({
    ...context,
    ended,
    ...sayingReloads(createLog(config, report)),
    start: async (current) => {
      const workspace = await openWorkspace(current);
      const logger = createLog(current, report);
      const siteUrl = options.siteUrl as string | undefined;
      const parts = { logger, report, siteUrl, isAsked: isFollowAsked };
      const following = createFollowing(workspace, parts);
      const metrics = await metering.begin(workspace);
      const publishing = createPublishing(workspace, { logger, report, following, metrics });
      const close = async (): Promise<void> => {
        await metering.close();
        await publishing.close();
        await workspace.close();
      };
      try {
        await throwIfServerDiffers(workspace);
        await metering.listen(workspace, logger);
        await publishing.start();
        const source = isFollowAsked ? following.state()?.source : undefined;
        const what =
          source === undefined ? `Watching ${workspace.paths.database}` : `Following ${source}`;
        report.say(`${what}; stop with Ctrl-C.`);
        return { close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  });
};

const createSample = async (config: Config, report: Report, isAsked: boolean): Promise<void> => {
  if (!isAsked || !(await createDatabase(config, { isEmpty: false, hasSite: true }))) return;
  report.say(`Created ${dataPathsOf(config).database} with a sample publication.`);
};

/** Listens from the call on: a signal that comes while everything starts ends it as cleanly. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
