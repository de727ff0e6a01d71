// The parts of a program that runs for long which act on what was built: deliveries, deploys, the look at the public
// site, pages, and sizes of pictures. Each logs what becomes of it.
import { dirname } from 'node:path';
import { withoutPage } from '../../pages/eleventy/without-page.ts';
import { createPublicGate, type PublicGate } from '../../publish/cycle/public-gate.ts';
import type { Deploys } from '../../publish/deploy/deploys.ts';
import type { Deliverer } from '../../publish/webhooks/sending/deliverer.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createPageRenderer, type PageRenderer } from './pages.ts';
import { startServerDeploys } from './server-deploys.ts';
import type { Logger } from './server-log.ts';
import { createSizeMaker, type SizeMaker } from './sizes.ts';
import { type FolderWatching, watchFolders } from './watch-files.ts';

export type PublishingParts = {
  readonly deliverer: Deliverer;
  readonly deploys: Deploys;
  readonly gate: PublicGate;
  readonly pages: PageRenderer;
  readonly sizes: SizeMaker;
  /** Templates of the pages, which are rendered anew when one changes. */
  readonly templates: FolderWatching;
};

type Options = {
  readonly logger: Logger;
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null;
};

export const openPublishingParts = (workspace: Workspace, options: Options): PublishingParts => {
  const deliverer = openDeliverer(workspace, options);
  const deploys = startServerDeploys(workspace, options.logger);
  const gate = openGate(workspace, options.logger, { deliverer, deploys });
  const sizes = createSizeMaker(workspace, { logger: options.logger, onPlaced: deploys.wake });
  return { deliverer, deploys, gate, sizes, ...openPages(workspace, options.logger, deploys) };
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

const openGate = (
  { store, manifest, clock, config }: Workspace,
  logger: Logger,
  { deliverer, deploys }: Pick<PublishingParts, 'deliverer' | 'deploys'>,
): PublicGate =>
  createPublicGate({
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
    onFailed: (error) => logger.error({ err: error }, 'held deliveries: tried again'),
  });

const openPages = (
  { config, paths, store }: Workspace,
  logger: Logger,
  deploys: Deploys,
): Pick<PublishingParts, 'pages' | 'templates'> => {
  const templates = watchFolders([paths.output, paths.media, dirname(paths.database)], () =>
    pages.wake(),
  );
  const pages = createPageRenderer(
    { config, store },
    {
      onRendered: ({ blocked, absent, sources, written, removed }) => {
        templates.add(sources);
        if (written.length + removed.length > 0) deploys.wake();
        if (blocked.length > 0) logger.warn({ blocked }, 'pages that someone else has a file for');
        for (const url of absent) logger.warn(withoutPage(url));
      },
      onFailed: (error) => logger.error({ err: error }, 'the pages were not rendered'),
    },
  );
  return { pages, templates };
};
