// What a program that runs for long does beside serving: it publishes, delivers, renders pages and logs what became
// of each.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAfterBuild } from '../after-build/after-build.ts';
import { describeDeploys } from '../after-build/deploy-states.ts';
import { createTreeSize } from '../after-build/tree-size.ts';
import { PrepressError } from '../base/errors.ts';
import { hasSummary } from '../emit/open-session.ts';
import { createPublicGate } from '../publisher/public-gate.ts';
import type { PublishReport } from '../publisher/publish-once.ts';
import {
  type Publisher,
  type PublisherListeners,
  STARTING,
  startPublisher,
} from '../publisher/publisher.ts';
import { removeServerSettings, writeServerSettings } from '../publisher/server-settings.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import type { PublisherPort } from '../server/ports.ts';
import { holdPresence, type Presence } from '../store/sqlite/deliverer-presence.ts';
import type { Following } from './following.ts';
import { createPageRenderer } from './pages.ts';
import { type Report, shown } from './report.ts';
import { startServerDeploys } from './server-deploys.ts';
import type { Logger } from './server-log.ts';
import { watchFolders } from './watch-files.ts';
import type { Workspace } from './workspace.ts';

export type Publishing = {
  readonly port: PublisherPort;
  /** Resolves after the first turn: the tree is up to date, or, with null, the log says why not. */
  readonly start: () => Promise<PublishReport | null>;
  readonly close: () => Promise<void>;
};

/** The start waits no longer for pages: content and administration are there without them. */
const FIRST_PAGES_MS = 10_000;

const NOTHING_YET = { records: 0, total: 0 };

type PublishingOptions = {
  readonly logger: Logger;
  readonly report: Report;
  /** Begun and ended with publishing. */
  readonly following: Following;
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null;
};

export const createPublishing = (
  workspace: Workspace,
  { logger, report, following, metrics }: PublishingOptions,
): Publishing => {
  const { store, manifest, config, paths, clock } = workspace;
  const deliverer = workspace.createDeliverer({
    onError: (error) => logger.error({ err: error }, 'delivery'),
    onTried: (attempt) => metrics?.attempted(attempt),
    onFailed: (delivery) => {
      metrics?.gaveUp();
      logger.warn(delivery, 'a delivery was given up');
    },
    // The target stays out of the log: its path or query may hold a secret.
    onDisabled: ({ webhookId, reason }) => {
      metrics?.disabledWebhook();
      logger.warn({ webhookId, reason }, 'webhook disabled');
    },
  });
  const deploys = startServerDeploys(workspace, logger);
  const gate = createPublicGate({
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
  });
  const templates = watchFolders([paths.output, paths.media, dirname(paths.database)], () =>
    pages.wake(),
  );
  const pages = createPageRenderer(config, {
    onRendered: ({ blocked, sources, written, removed }) => {
      templates.add(sources);
      if (written.length + removed.length > 0) deploys.wake();
      if (blocked.length > 0) logger.warn({ blocked }, 'pages that someone else has a file for');
    },
    onFailed: (error) => logger.error({ err: error }, 'the pages were not rendered'),
  });
  // Another process may have built: its generation counts as a change too.
  let shownGeneration = -1;
  let namedRows = '';
  const after = createAfterBuild(workspace);
  const treeSize = createTreeSize(manifest);
  let publisher: Publisher | null = null;
  let presence: Presence | null = null;
  let isStarted = false;
  let arePagesThere = false;
  const get = (): Publisher => {
    if (publisher === null) throw new PrepressError('INTERNAL', 'The publisher has not started.');
    return publisher;
  };
  return {
    port: {
      wake: () => publisher?.wake(),
      requestBuild: (requestedBy) => {
        following.wake();
        return get().requestBuild(requestedBy);
      },
      state: () => ({
        ...(publisher?.state() ?? STARTING),
        tree: treeSize(),
        deploys: describeDeploys(workspace),
        following: following.state(),
      }),
      firstBuild: () => (arePagesThere ? null : (publisher?.state().progress ?? NOTHING_YET)),
    },
    start: async () => {
      writeServerSettings(paths, config);
      presence = await holdPresence(paths.delivererLock);
      await following.begin();
      await gate.renew();
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
            metrics?.built(result);
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
            const { placed, removed } = result.media ?? { placed: 0, removed: 0 };
            if (hasChanged || files.written + files.removed + placed + removed > 0) deploys.wake();
            shownGeneration = generation;
            gate.wake().catch((error) => logger.error({ err: error }, 'read-back'));
            deliverer.wake();
            resolve(result);
          },
          onFailed: (error) => {
            metrics?.buildFailed();
            logger.error({ err: error }, 'the build failed');
            // What was built before may not be there yet.
            if (hasSummary(paths.contentFolder)) deploys.wake();
            resolve(null);
          },
        };
        const options = { onBuilt: after.onBuilt, ready: following.settled };
        publisher = startPublisher(workspace, listeners, options);
      });
      following.start(() => publisher?.wake());
      const rendered = pages.settle().then(() => {
        arePagesThere = true;
      });
      await Promise.race([rendered, sleep(FIRST_PAGES_MS, undefined, { ref: false })]);
      isStarted = true;
      return first;
    },
    close: async () => {
      await following.close();
      // Receivers that hang are waited for beside the rest.
      const delivered = deliverer.close();
      const deployed = deploys.close();
      await publisher?.close();
      await pages.close();
      await gate.close();
      await deployed;
      await delivered;
      await templates.close();
      if (presence === null) return;
      presence.end();
      removeServerSettings(paths);
    },
  };
};
