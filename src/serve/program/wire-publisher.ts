// The parts of a program that runs for long which act on what was built: deliveries, deploys, the look at the public
// site, pages, and sizes of pictures. Each logs what becomes of it.
import { dirname, join } from 'node:path';
import { outputSourceOf, targetsOf } from '../../publish/after-build/deploy-destinations.ts';
import { rewriteHosts } from '../../publish/after-build/write-after-build.ts';
import type { PublishDeps } from '../../publish/cycle/publish-deps.ts';
import { createWebhookHold, type WebhookHold } from '../../publish/cycle/webhook-hold.ts';
import { type Deploys, startDeploys } from '../../publish/deploy/deploys.ts';
import { RECORDS } from '../../publish/output/copies/written-files.ts';
import type { Deliverer } from '../../publish/webhooks/sending/deliverer.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createPageRenderer, type PageRenderer } from './pages.ts';
import type { Logger } from './server-log.ts';
import { createSizeMaker, type SizeMaker } from './sizes.ts';
import { type FolderWatching, type Watching, watchFile, watchFolders } from './watch-files.ts';

export type PublisherParts = {
  readonly deliverer: Deliverer;
  readonly deploys: Deploys;
  readonly hold: WebhookHold;
  readonly pages: PageRenderer;
  readonly sizes: SizeMaker;
  /** Templates of the pages, which are rendered anew when one changes. */
  readonly templates: FolderWatching;
  /** The record of the pages: what a command places or takes back, after its build, is deployed, too. */
  readonly placed: Watching;
};

type Options = {
  readonly logger: Logger;
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null;
};

export const wirePublisher = (workspace: Workspace, options: Options): PublisherParts => {
  const deliverer = openDeliverer(workspace, options);
  const started = startServerDeploys(workspace, options.logger);
  const deploys = { ...started, wake: () => workspace.store.leads() && started.wake() };
  const hold = openHold(workspace, options.logger, { deliverer, deploys });
  const sizes = createSizeMaker(workspace, { logger: options.logger, onPlaced: deploys.wake });
  const placed = watchFile(join(dirname(workspace.paths.database), RECORDS.pages), deploys.wake);
  const pages = openPages(workspace, options.logger, deploys);
  return { deliverer, deploys, hold, sizes, placed, ...pages };
};

const openDeliverer = (workspace: Workspace, { logger, metrics }: Options): Deliverer =>
  workspace.createDeliverer({
    onError: (error) => logger.error({ err: error }, 'delivery'),
    onTried: (attempt) => metrics?.attempted(attempt),
    onFailed: (delivery) => {
      metrics?.gaveUp();
      logger.warn(delivery, 'a delivery was given up');
    },
    onRefused: (delivery) => logger.warn(delivery, 'a delivery was refused'),
    // The target stays out of the log: its path or query may hold a secret.
    onDisabled: ({ webhookId, reason }) => {
      metrics?.disabledWebhook();
      logger.warn({ webhookId, reason }, 'webhook disabled');
    },
  });

const openHold = (
  { store, manifest, clock, config }: Workspace,
  logger: Logger,
  { deliverer, deploys }: Pick<PublisherParts, 'deliverer' | 'deploys'>,
): WebhookHold =>
  createWebhookHold({
    store,
    manifest,
    clock,
    config,
    whenThere: deploys.whenThere,
    onOpened: ({ generation, lacking, isSeen }) => {
      if (lacking.length > 0) {
        logger.warn({ generation, lacking }, 'webhooks are sent although targets lack the changes');
      }
      if (!isSeen) logger.warn({ generation }, 'the public site did not show the changes in time');
      deliverer.wake();
    },
    onSilent: (cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      logger.warn({ reason }, 'webhooks wait: the public site (setting readback) cannot be read');
    },
    onFailed: (error) => logger.error({ err: error }, 'held deliveries: tried again'),
  });

const openPages = (
  workspace: Workspace,
  logger: Logger,
  deploys: Deploys,
): Pick<PublisherParts, 'pages' | 'templates'> => {
  const { config, paths, store } = workspace;
  const templates = watchFolders([paths.output, paths.media, dirname(paths.database)], () =>
    pages.wake(),
  );
  const pages = createPageRenderer(
    { config, store },
    {
      onRendered: async ({ warnings, sources, written, removed }) => {
        templates.add(sources);
        // A copy for a host takes its place.
        if (removed.includes('404.html')) await rewriteHosts(workspace);
        const counts = { written: written.length, removed: removed.length };
        if (counts.written + counts.removed > 0) {
          deploys.wake();
          logger.info(counts, 'pages written');
        }
        for (const warning of warnings) logger.warn(warning);
      },
      onFailed: (error) => {
        logger.error({ err: error }, 'the pages were not rendered');
        // Those that showed what was taken back were removed.
        deploys.wake();
      },
    },
  );
  return { pages, templates };
};

const startServerDeploys = (workspace: PublishDeps, logger: Logger): Deploys => {
  const { config } = workspace;
  const told = new Map<string, number>();
  return startDeploys({
    source: outputSourceOf(workspace),
    targets: targetsOf(workspace),
    waitMs: config.deployWaitMinutes * 60_000,
    mayLook: () => workspace.store.leads(),
    listeners: {
      onCarried: (target, { written, removed, generation }, milliseconds) => {
        const isNews = told.get(target) !== generation || written.length + removed.length > 0;
        told.set(target, generation);
        if (!isNews) return;
        const counts = { written: written.length, removed: removed.length };
        logger.info({ target, generation, milliseconds, ...counts }, 'deployed');
      },
      onFailed: (target, error, nextTryMs) =>
        logger.error({ target, nextTryMs, err: error }, 'a deploy failed'),
    },
  });
};
