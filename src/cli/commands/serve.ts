// prepress serve and prepress watch: the publisher and the deliverer, with the companion server or
// without, until a signal ends them.
import { dirname } from 'node:path';
import { createAfterBuild } from '../../after-build/after-build.ts';
import { PrepressError } from '../../base/errors.ts';
import type { Config } from '../../config/settings.ts';
import { loadHttpClient } from '../../delivery/attempt.ts';
import { hasSummary } from '../../emit/open-session.ts';
import { loadNodemailer } from '../../mail/mailer.ts';
import { adoptQueries } from '../../publisher/adopt-queries.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import { createPublicGate } from '../../publisher/public-gate.ts';
import type { PublishReport } from '../../publisher/publish-once.ts';
import {
  type Publisher,
  type PublisherListeners,
  STARTING,
  startPublisher,
} from '../../publisher/publisher.ts';
import {
  removeServerSettings,
  throwIfServerDiffers,
  writeServerSettings,
} from '../../publisher/server-settings.ts';
import { createServer } from '../../server/create-server.ts';
import type { PublisherPort } from '../../server/ports.ts';
import { askedQueriesAt } from '../../store/sqlite/asked-queries.ts';
import { holdPresence, type Presence } from '../../store/sqlite/deliverer-presence.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';
import { createListening, type Listening } from '../listening.ts';
import { createPageRenderer } from '../pages.ts';
import { type Report, shown } from '../report.ts';
import { runReloading, type Session } from '../run-reloading.ts';
import { sayAddresses, sayFirstBuild, showAddresses } from '../say-addresses.ts';
import { createLog, type Logger, sayingReloads } from '../server-log.ts';
import { watchFolders } from '../watch-files.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** With --dev webhooks may reach this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** What other commands load when they send something: a program that runs for long may be replaced by then. */
const loadSenders = (): Promise<unknown> => Promise.all([loadHttpClient(), loadNodemailer()]);

export const serve: Run = async (context) => {
  const { report, options } = context;
  const withDev = (given: Config): Config =>
    options.dev === true ? { ...given, webhookAllow: [...given.webhookAllow, ...LOOPBACK] } : given;
  const ended = untilSignal();
  await loadSenders();
  const config = withDev(context.config);
  await createSample(config, report, options.sample === true);
  const listening = createListening();
  await runReloading({
    ...context,
    config,
    reload: async () => withDev(await context.reload()),
    ended,
    ...sayingReloads(createLog(config, report)),
    start: (current) => startServing(current, { ...context, listening }),
  });
  return undefined;
};

type Serving = {
  readonly report: Report;
  readonly options: Readonly<Record<string, unknown>>;
  readonly settingsFile: string;
  readonly listening: Listening;
};

const startServing = async (
  config: Config,
  { report, options, settingsFile, listening }: Serving,
): Promise<Session> => {
  const workspace = await openWorkspace(config);
  const publishing = createPublishing(workspace, createLog(config, report), report);
  const app = createServer({
    config,
    context: workspace.useCases,
    publisher: publishing.port,
    storedSegment: (resource, slug) => workspace.manifest.storedSegment(resource, slug),
    tree: workspace.manifest,
    askedQueries: askedQueriesAt(workspace.paths.manifest),
    adoptQueries: () => adoptQueries({ ...workspace, settingsFile }),
    adminOrigin: () => config.adminUrl ?? listening.url(),
    logger: createLog(config, report),
    logsRequests: !process.stderr.isTTY || options.verbose === true,
  });
  const close = async (): Promise<void> => {
    await app.close();
    await publishing.close();
    await workspace.close();
  };
  try {
    await throwIfServerDiffers(workspace);
    const isFirst = listening.url() === '';
    await listening.listen(app, config);
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

export const watch: Run = async (context) => {
  const { config, report } = context;
  const ended = untilSignal();
  await loadSenders();
  await runReloading({
    ...context,
    ended,
    ...sayingReloads(createLog(config, report)),
    start: async (current) => {
      const workspace = await openWorkspace(current);
      const publishing = createPublishing(workspace, createLog(current, report), report);
      const close = async (): Promise<void> => {
        await publishing.close();
        await workspace.close();
      };
      try {
        await throwIfServerDiffers(workspace);
        await publishing.start();
        report.say(`Watching ${workspace.paths.database}; stop with Ctrl-C.`);
        return { close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  });
  return undefined;
};

const createSample = async (config: Config, report: Report, isAsked: boolean): Promise<void> => {
  if (!isAsked || !(await createDatabase(config, { isEmpty: false }))) return;
  report.say(`Created ${dataPathsOf(config).database} with a sample publication.`);
};

const NOTHING_YET = { records: 0, total: 0 };

type Publishing = {
  readonly port: PublisherPort;
  /** Resolves after the first turn: the tree is up to date, or, with null, the log says why not. */
  readonly start: () => Promise<PublishReport | null>;
  readonly close: () => Promise<void>;
};

const createPublishing = (workspace: Workspace, logger: Logger, report: Report): Publishing => {
  const { store, manifest, config, paths } = workspace;
  const deliverer = workspace.createDeliverer({
    onError: (error) => logger.error({ err: error }, 'delivery'),
    onFailed: (delivery) => logger.warn(delivery, 'a delivery was given up'),
    // The target stays out of the log: its path or query may hold a secret.
    onDisabled: ({ webhookId, reason }) => logger.warn({ webhookId, reason }, 'webhook disabled'),
  });
  const gate = createPublicGate({
    store,
    manifest,
    basePath: config.basePath,
    url: config.readback,
    onOpened: (generation, isSeen) => {
      if (!isSeen) logger.warn({ generation }, 'the public site did not show the changes in time');
      deliverer.wake();
    },
  });
  const templates = watchFolders([paths.output, paths.media, dirname(paths.database)], () =>
    pages.wake(),
  );
  const pages = createPageRenderer(config, {
    onRendered: ({ blocked, sources }) => {
      templates.add(sources);
      if (blocked.length > 0) logger.warn({ blocked }, 'pages that someone else has a file for');
    },
    onFailed: (error) => logger.error({ err: error }, 'the pages were not rendered'),
  });
  // Another process may have built: its generation counts as a change too.
  let shownGeneration = -1;
  let namedRows = '';
  const after = createAfterBuild(workspace);
  let publisher: Publisher | null = null;
  let presence: Presence | null = null;
  let isStarted = false;
  const get = (): Publisher => {
    if (publisher === null) throw new PrepressError('INTERNAL', 'The publisher has not started.');
    return publisher;
  };
  return {
    port: {
      wake: () => publisher?.wake(),
      requestBuild: (requestedBy) => get().requestBuild(requestedBy),
      state: () => publisher?.state() ?? STARTING,
      firstBuild: () => (isStarted ? null : (publisher?.state().progress ?? NOTHING_YET)),
    },
    start: async () => {
      writeServerSettings(paths, config);
      presence = await holdPresence(paths.delivererLock);
      await deliverer.start();
      const first = await new Promise<PublishReport | null>((resolve) => {
        const listeners: PublisherListeners = {
          onProgress: ({ records, total, files }) => {
            if (isStarted) return;
            const text = `${shown(records)} records, ${shown(files)} files`;
            report.progress({ done: records, total, text });
          },
          onPublished: (result) => {
            report.endProgress();
            const { files, generation, kind, milliseconds, queued } = result;
            if (files.written + files.removed > 0) {
              const counts = { written: files.written, removed: files.removed, queued };
              logger.info({ generation, kind, milliseconds, ...counts }, 'published');
            }
            const rows = result.setAside.join('\n');
            const isNamed = rows === namedRows && files.written + files.removed === 0;
            if (rows !== '' && !isNamed) {
              logger.warn({ rows: result.setAside }, 'rows that cannot be rendered');
            }
            namedRows = rows;
            for (const warning of result.warnings) {
              if (!result.setAside.includes(warning)) logger.warn(warning);
            }
            const failure = after.failure();
            if (failure !== null) logger.error({ err: failure }, 'host files were not written');
            const hosts = after.toReload();
            if (hosts.length > 0 && files.written + files.removed > 0) {
              logger.warn({ hosts }, 'hosts to be reloaded with new rules');
            }
            const hasChanged = generation !== shownGeneration;
            if (hasChanged) pages.wake();
            shownGeneration = generation;
            gate.wake().catch((error) => logger.error({ err: error }, 'read-back'));
            deliverer.wake();
            resolve(result);
          },
          onFailed: (error) => {
            logger.error({ err: error }, 'the build failed');
            resolve(null);
          },
        };
        publisher = startPublisher(workspace, listeners, { onBuilt: after.onBuilt });
      });
      await pages.settle();
      isStarted = true;
      return first;
    },
    close: async () => {
      // Receivers that hang are waited for beside the rest.
      const delivered = deliverer.close();
      await publisher?.close();
      await pages.settle();
      await gate.close();
      await delivered;
      await templates.close();
      if (presence === null) return;
      presence.end();
      removeServerSettings(paths);
    },
  };
};

/** Listens from the call on: a signal that comes while everything starts ends it as cleanly. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
