// prepress serve and prepress watch: the publisher and the deliverer, with the companion server or
// without, until a signal ends them.
import { findShownKey } from '../../admin/keys.ts';
import { createAfterBuild } from '../../after-build/after-build.ts';
import { PrepressError } from '../../base/errors.ts';
import type { Config } from '../../config/settings.ts';
import { loadHttpClient } from '../../delivery/attempt.ts';
import { hasSummary } from '../../emit/open-session.ts';
import { loadNodemailer } from '../../mail/mailer.ts';
import { mediaWarnings } from '../../publisher/media.ts';
import { dataPathsOf } from '../../publisher/paths.ts';
import { createPublicGate } from '../../publisher/public-gate.ts';
import {
  type Publisher,
  type PublisherListeners,
  STARTING,
  startPublisher,
} from '../../publisher/publisher.ts';
import { createServer } from '../../server/create-server.ts';
import { createLogger, toReadable } from '../../server/logger.ts';
import type { PublisherPort } from '../../server/ports.ts';
import { holdPresence, type Presence } from '../../store/sqlite/deliverer-presence.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';
import { createPageRenderer } from '../pages.ts';
import type { Report } from '../report.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

type Logger = ReturnType<typeof createLogger>;

/** With --dev webhooks may reach this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** What other commands load when they send something: a program that runs for long may be replaced by then. */
const loadSenders = (): Promise<unknown> => Promise.all([loadHttpClient(), loadNodemailer()]);

export const serve: Run = async ({ config: given, report, options }) => {
  const ended = untilSignal();
  await loadSenders();
  const config =
    options.dev === true ? { ...given, webhookAllow: [...given.webhookAllow, ...LOOPBACK] } : given;
  await createSample(config, report, options.sample === true);
  const workspace = await openWorkspace(config);
  const logger = createLog(config, report);
  const publishing = createPublishing(workspace, logger);
  const origin = { url: '' };
  const app = createServer({
    config,
    context: workspace.useCases,
    publisher: publishing.port,
    storedSegment: (resource, slug) => workspace.manifest.storedSegment(resource, slug),
    tree: workspace.manifest,
    adminOrigin: () => config.adminUrl ?? origin.url,
    logger,
    logsRequests: !process.stderr.isTTY || options.verbose === true,
  });
  try {
    origin.url = await listen(app, config);
    if (!hasSummary(workspace.paths.contentFolder)) {
      report.say(`The first build begins; ${origin.url}${config.basePath}/ says how far it is.`);
    }
    await publishing.start();
    await sayAddresses(workspace, report, origin.url);
    await ended;
  } finally {
    await app.close();
    await publishing.close();
    await workspace.close();
  }
  return undefined;
};

export const watch: Run = async ({ config, report }) => {
  const ended = untilSignal();
  await loadSenders();
  const workspace = await openWorkspace(config);
  const publishing = createPublishing(workspace, createLog(config, report));
  try {
    await publishing.start();
    report.say(`Watching ${workspace.paths.database}; stop with Ctrl-C.`);
    await ended;
  } finally {
    await publishing.close();
    await workspace.close();
  }
  return undefined;
};

/** Lines for people on a terminal, JSON for what reads a pipe. */
const createLog = ({ logLevel }: Config, report: Report): Logger =>
  process.stderr.isTTY
    ? createLogger(logLevel, toReadable(report.endProgress))
    : createLogger(logLevel);

const createSample = async (config: Config, report: Report, isAsked: boolean): Promise<void> => {
  if (!isAsked || !(await createDatabase(config, { isEmpty: false }))) return;
  report.say(`Created ${dataPathsOf(config).database} with a sample publication.`);
};

const listen = async (app: ReturnType<typeof createServer>, config: Config): Promise<string> => {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const place = `${config.host}:${config.port}`;
    if (code === 'EADDRINUSE') {
      throw new PrepressError('PORT_IN_USE', `${place} is in use by another program.`, { cause });
    }
    const sentence = `The server cannot listen on ${place}: ${code}.`;
    throw new PrepressError('CONFIG_INVALID', sentence, { cause });
  }
};

const NOTHING_YET = { records: 0, total: 0 };

type Publishing = {
  readonly port: PublisherPort;
  /** Resolves after the first turn: the tree is up to date, or the log says why not. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const createPublishing = (workspace: Workspace, logger: Logger): Publishing => {
  const { store, manifest, config } = workspace;
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
  const pages = createPageRenderer(config, {
    onRendered: ({ blocked }) => {
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
      presence = await holdPresence(workspace.paths.delivererLock);
      await deliverer.start();
      await new Promise<void>((resolve) => {
        const listeners: PublisherListeners = {
          onPublished: (result) => {
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
            for (const warning of mediaWarnings(result.media)) logger.warn(warning);
            const failure = after.failure();
            if (failure !== null) logger.error({ err: failure }, 'host files were not written');
            const hasChanged = generation !== shownGeneration;
            if (hasChanged) pages.wake();
            shownGeneration = generation;
            gate.wake().catch((error) => logger.error({ err: error }, 'read-back'));
            deliverer.wake();
            resolve();
          },
          onFailed: (error) => {
            logger.error({ err: error }, 'the build failed');
            resolve();
          },
        };
        publisher = startPublisher(workspace, listeners, { onBuilt: after.onBuilt });
      });
      await pages.settle();
      isStarted = true;
    },
    close: async () => {
      // Receivers that hang are waited for beside the rest.
      const delivered = deliverer.close();
      await publisher?.close();
      await pages.settle();
      await gate.close();
      await delivered;
      presence?.end();
    },
  };
};

const sayAddresses = async (
  { useCases, paths, config }: Workspace,
  report: Report,
  url: string,
): Promise<void> => {
  const base = `${url}${config.basePath}`;
  const contentKey = await findShownKey(useCases, 'content');
  report.say(`Serving      ${base}/`);
  report.say(`Content      ${base}/content/posts/?key=${contentKey}`);
  report.say(`Content key  ${contentKey}`);
  report.say(`Admin        ${base}/admin/`);
  report.say(`Admin key    in ${paths.adminKey}`);
  report.say(`Build hook   POST ${base}/hooks/build/TOKEN`);
  report.say('Secrets      prepress status --secrets');
  report.data({ url: base, contentKey, adminKeyFile: paths.adminKey });
};

/** Listens from the call on: a signal that comes while everything starts ends it as cleanly. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
