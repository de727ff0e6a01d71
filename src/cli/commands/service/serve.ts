// prepress serve: the publisher and the deliverer with the companion server, until a signal ends them.
import { PrepressError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { moveSample } from '../../../publication/import/sample/sample.ts';
import { uploadsOf } from '../../../publication/media/uploads.ts';
import { isSomebodyPresent } from '../../../publication/store/locks/deliverer-presence.ts';
import { isPublicationAt } from '../../../publication/store/open-store.ts';
import type { PublishReport } from '../../../publish/cycle/publish-once.ts';
import { throwIfServerDiffers } from '../../../publish/cycle/server-settings.ts';
import { hasSummary } from '../../../publish/output/session/open-session.ts';
import { findShownKey } from '../../../serve/admin/keys/keys.ts';
import { closeAll } from '../../../serve/program/close-all.ts';
import { collectOften } from '../../../serve/program/collect-often.ts';
import { createDatabaseToFollow } from '../../../serve/program/following.ts';
import { createListening, type Listening, throwIfTaken } from '../../../serve/program/listening.ts';
import { createServedMetrics, type ServedMetrics } from '../../../serve/program/metrics.ts';
import type { Publishing } from '../../../serve/program/publishing.ts';
import {
  restartOnChange,
  type Session,
  type StartHow,
} from '../../../serve/program/restart-on-change.ts';
import { createLog, reloadLogging } from '../../../serve/program/server-log.ts';
import { createSession, loadSenders } from '../../../serve/program/session.ts';
import { createServer } from '../../../serve/server/create-server.ts';
import { createDatabase } from '../../../serve/workspace/create-database.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { untilSignal } from '../until-signal.ts';

/** With --dev webhooks may reach this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export const serve: Run = async (context) => {
  const { report, options } = context;
  const images = options.images as string | undefined;
  const withFlags = (settings: Config): Config => ({
    ...settings,
    followImages: images ?? settings.followImages,
    ...(options.dev === true && { webhookAllow: [...settings.webhookAllow, ...LOOPBACK] }),
  });
  if (images !== undefined && context.config.follow === undefined) {
    throw new PrepressError(
      'USAGE',
      `--images of serve is for --follow; run "prepress import --images ${images}" to import images once.`,
    );
  }
  const ended = untilSignal();
  collectOften();
  await loadSenders();
  const config = withFlags(context.config);
  if (config.follow !== undefined) await createDatabaseToFollow(config, config.follow);
  await createSample(config, report, options.sample === true);
  const listening = createListening();
  const metering = createServedMetrics();
  await restartOnChange({
    ...context,
    config,
    reload: async () => withFlags(await context.reload()),
    ended,
    ...reloadLogging(createLog(config, report)),
    start: (current, how) =>
      startServing(current, { ...context, ...how, listening, metering, ended }),
  });
  return undefined;
};

type Serving = StartHow & {
  readonly report: Report;
  readonly options: Readonly<Record<string, unknown>>;
  readonly listening: Listening;
  readonly metering: ServedMetrics;
  readonly ended: Promise<void>;
};

const startServing = async (
  config: Config,
  { report, options, listening, metering, isWaiting, ended }: Serving,
): Promise<Session> => {
  const logger = createLog(config, report);
  const onWarning = (sentence: string): void => logger.warn(sentence);
  const workspace = await openWorkspace(config, { mayLead: true, fillsEmpty: true, onWarning });
  const { siteUrl } = config;
  const { following, publishing } = await createSession(workspace, {
    ...{ logger, report, siteUrl, metering, isWaiting, ended },
  });
  const app = createServer({
    config,
    context: workspace.useCases,
    publisher: publishing.port,
    uploads: uploadsOf(workspace.paths, {
      onKept: publishing.uploaded,
      share: workspace.bucket?.add,
    }),
    storedSegment: (resource, slug) => workspace.manifest.storedSegment(resource, slug),
    tree: workspace.manifest,
    adminOrigin: () => config.adminUrl ?? listening.url(),
    logger,
    logsRequests: !process.stderr.isTTY || options.verbose === true,
  });
  const close = (): Promise<void> => {
    workspace.store.beginClosing();
    return closeAll(metering, app, publishing, workspace);
  };
  try {
    await throwIfServerDiffers(workspace);
    await following.check();
    const isFirst = listening.url() === '';
    await listening.listen(app, config);
    if (isSomebodyPresent(workspace.paths.delivererLock)) {
      logger.warn('another server already runs on this publication: both serve it');
    }
    await metering.listen(workspace, logger, app.server);
    const url = listening.url();
    if (siteUrl === undefined) await moveSample(workspace.store, Number(new URL(url).port || 80));
    const hasKey = options.sample === true || process.stdout.isTTY;
    if (isFirst) await printAddresses(workspace, report, { url, hasKey });
    await publishFirst({ workspace, publishing, report, url });
    if (isFirst) await showAddresses(workspace, report, url);
    return { close, fits: publishing.fits };
  } catch (error) {
    await close();
    throw error;
  }
};

type FirstPublish = {
  readonly workspace: Workspace;
  readonly publishing: Publishing;
  readonly report: Report;
  readonly url: string;
};

/** Resolves after the first cycle of the publisher. Says so when that builds the first tree. */
const publishFirst = async ({
  workspace: { config, paths },
  publishing,
  report,
  url,
}: FirstPublish): Promise<void> => {
  const isFirstBuild = !hasSummary(paths.contentFolder);
  const root = `${url}${config.basePath}/`;
  if (isFirstBuild) report.print(`The first build has started; ${root} shows its progress.`);
  const published = await publishing.start();
  if (isFirstBuild && published !== null) printFirstBuild(report, published);
};

const createSample = async (config: Config, report: Report, isAsked: boolean): Promise<void> => {
  if (!isAsked || isPublicationAt(dataPathsOf(config).database)) return;
  await throwIfTaken(config);
  if (!(await createDatabase(config, { isEmpty: false, hasSite: true }))) return;
  report.print(`Created ${dataPathsOf(config).database} with a sample publication.`);
};

type Said = {
  /** The origin. */
  readonly url: string;
  /** False where the lines become a log: the journal of a service is read by more people than its terminal. */
  readonly hasKey: boolean;
};

const printAddresses = async (
  { useCases, paths, config, store }: Workspace,
  report: Report,
  { url, hasKey }: Said,
): Promise<void> => {
  const base = `${url}${config.basePath}`;
  if (store.isReader) {
    report.print(`Serving      ${base}/`);
    report.print(`Content      ${base}/content/posts/`);
    return;
  }
  const contentKey = hasKey ? await findShownKey(useCases, 'content') : null;
  report.print(`Serving      ${base}/`);
  report.print(`Content      ${base}/content/posts/${hasKey ? `?key=${contentKey}` : ''}`);
  if (hasKey) report.print(`Content key  ${contentKey}`);
  report.print(`Desk         ${base}/desk/`);
  report.print(`Admin        ${base}/admin/`);
  report.print(`Admin key    in ${paths.adminKey}`);
  report.print(`Build hook   POST ${base}/hooks/build/TOKEN`);
  report.print('Secrets      npx prepress status --secrets');
};

const showAddresses = async (
  { useCases, paths, config, store }: Workspace,
  report: Report,
  url: string,
): Promise<void> => {
  if (store.isReader) return report.data({ url: `${url}${config.basePath}` });
  const contentKey = await findShownKey(useCases, 'content');
  report.data({ url: `${url}${config.basePath}`, contentKey, adminKeyFile: paths.adminKey });
};

const printFirstBuild = (report: Report, { records, files, milliseconds }: PublishReport): void => {
  const seconds = (milliseconds / 1_000).toFixed(1);
  report.print(
    `The first build is done: ${counted(records, 'record')}, ${counted(files.written, 'file')} in ${seconds} s.`,
  );
};
