// Metrics of a program that runs for long. What was counted outlives a start with other settings.
import type { Server } from 'node:http';
import { hostPort } from '../../base/net/host-port.ts';
import { findPublishedPosition } from '../../publication/store/log/publishing.ts';
import { countDeliveries } from '../../publication/store/webhooks/attempts.ts';
import { countRequests } from '../server/metrics/count-requests.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import { listenForScrapes } from '../server/metrics/metrics-listener.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { asListenError } from './listening.ts';
import type { Logger } from './server-log.ts';

export type ServedMetrics = {
  /** Where parts of the program report to until the next start; null: metrics are off. */
  readonly begin: (workspace: Workspace) => Promise<Metrics | null>;
  /** Listens where the setting says and counts the requests of `server`. Throws PORT_IN_USE, CONFIG_INVALID. */
  readonly listen: (workspace: Workspace, logger: Logger, server?: Server) => Promise<void>;
  readonly close: () => Promise<void>;
};

const OTHER_PLACE = 'Choose another port in the setting metrics.';

export const createServedMetrics = (): ServedMetrics => {
  let loaded: Metrics | null = null;
  let open: (() => Promise<void>)[] = [];
  return {
    begin: async ({ config, store, manifest }) => {
      if (config.metrics === undefined) return null;
      // Loaded with the first use: without the setting nothing is counted.
      loaded ??= (await import('../server/metrics/metrics.ts')).createMetrics();
      loaded.readFrom({
        generation: () => manifest.generation(),
        announcedGeneration: async () => (await findPublishedPosition(store))?.generation ?? 0,
        deliveries: () => countDeliveries(store),
      });
      return loaded;
    },
    listen: async ({ config }, logger, server) => {
      const { metrics: place, basePath } = config;
      if (place === undefined || loaded === null) return;
      const listener = await listenForScrapes(place, loaded).catch((cause) => {
        throw asListenError(cause, hostPort(place), OTHER_PLACE);
      });
      open.push(listener.close);
      logger.info({ url: listener.url }, 'metrics');
      if (server === undefined) return;
      const end = countRequests(server, basePath, loaded);
      open.push(async () => end());
    },
    close: async () => {
      const closing = open;
      open = [];
      for (const close of closing) await close();
    },
  };
};
