// What a program that runs for long does beside serving: it publishes, delivers, renders pages and logs what became
// of each.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrepressError } from '../../base/errors.ts';
import { findDiskProblem } from '../../base/files/unwritable.ts';
import type { FileLock } from '../../base/sqlite/lock-file.ts';
import { counted } from '../../base/text/counted.ts';
import { type AfterBuild, createAfterBuild } from '../../publish/after-build/after-build.ts';
import { describeDeploys } from '../../publish/after-build/deploy-states.ts';
import { createTreeSize, type TreeSize } from '../../publish/after-build/tree-size.ts';
import type { BuildProgress } from '../../publish/build/run-build.ts';
import type { PublishReport } from '../../publish/cycle/publish-once.ts';
import {
  type Publisher,
  type PublisherListeners,
  STARTING,
  startPublisher,
} from '../../publish/cycle/publisher.ts';
import {
  fitsServers,
  joinServers,
  leaveServers,
  sharedSettingsOf,
} from '../../publish/cycle/server-settings.ts';
import { hasSummary } from '../../publish/output/session/open-session.ts';
import type { Config } from '../../settings/settings.ts';
import type { Metrics } from '../server/metrics/metrics.ts';
import type { PublisherPort } from '../server/server-deps.ts';
import type { Report } from '../workspace/report.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { createBuildLog } from './build-log.ts';
import { closeAll } from './close-all.ts';
import type { Following } from './following.ts';
import type { Logger } from './server-log.ts';
import { type PublisherParts, wirePublisher } from './wire-publisher.ts';

export type Publishing = {
  readonly port: PublisherPort;
  /** Takes the path of a file that was uploaded. */
  readonly uploaded: (path: string) => void;
  /**
   * Resolves after the first cycle: the tree is up to date, or, with null, the log says why not. With null, too, as soon
   * as the program is to end.
   */
  readonly start: () => Promise<PublishReport | null>;
  /** Whether no server that runs has other settings than these. */
  readonly fits: (config: Config) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** The start waits no longer for pages: content and administration are there without them. */
const FIRST_PAGES_MS = 10_000;

/** Of what is waited for when the program ends. */
const SAID_AFTER_MS = 500;

const NOTHING_YET = { records: 0, total: 0 };

type PublishingOptions = {
  readonly logger: Logger;
  readonly report: Report;
  /** Begun and ended with publishing. */
  readonly following: Following;
  /** Null: nothing is counted. */
  readonly metrics: Metrics | null;
  /** Newer settings wait for another server: nobody has to have those of this run, whose cycles compare them. */
  readonly isWaiting?: boolean | undefined;
  /** Resolves when the program is to end. */
  readonly ended: Promise<void>;
};

export const createPublishing = (workspace: Workspace, options: PublishingOptions): Publishing => {
  const run = new PublishingRun(workspace, options);
  return {
    port: run.port(),
    uploaded: (path) => run.uploaded(path),
    start: () => run.start(),
    fits: (config) => fitsServers(config, workspace.store),
    close: () => run.close(),
  };
};

class PublishingRun {
  readonly #workspace: Workspace;
  readonly #options: PublishingOptions;
  readonly #parts: PublisherParts;
  readonly #after: AfterBuild;
  readonly #logBuild: (report: PublishReport) => void;
  readonly #treeSize: () => TreeSize | null;
  /** Another process may have built: its generation counts as a change too. */
  #shownGeneration = -1;
  #publisher: Publisher | null = null;
  #presence: FileLock | null = null;
  #isStarted = false;
  #arePagesThere = false;

  constructor(workspace: Workspace, options: PublishingOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#parts = wirePublisher(workspace, options);
    this.#after = createAfterBuild(workspace);
    this.#logBuild = createBuildLog(options.logger, this.#after);
    this.#treeSize = createTreeSize(workspace.manifest);
  }

  port(): PublisherPort {
    const { following } = this.#options;
    return {
      wake: () => this.#publisher?.wake(),
      requestBuild: (requestedBy) => {
        following.wake();
        if (this.#publisher === null) throw notStarted();
        return this.#publisher.requestBuild(requestedBy);
      },
      state: () => ({
        ...(this.#publisher?.state() ?? STARTING),
        tree: this.#treeSize(),
        pages: this.#parts.pages.state(),
        sizes: this.#parts.sizes.state(),
        deploys: describeDeploys(this.#workspace),
        disk: this.#diskProblem(),
        following: following.state(),
      }),
      firstBuild: () =>
        this.#arePagesThere ? null : (this.#publisher?.state().progress ?? NOTHING_YET),
    };
  }

  #diskProblem() {
    const { database, output } = this.#workspace.paths;
    const problem = findDiskProblem('DATABASE_UNWRITABLE', dirname(database));
    // Before the first build there is none.
    return problem ?? (existsSync(output) ? findDiskProblem('OUTPUT_UNWRITABLE', output) : null);
  }

  uploaded(path: string): void {
    this.#parts.sizes.uploaded(path);
  }

  async start(): Promise<PublishReport | null> {
    const { config, store } = this.#workspace;
    const { following, isWaiting } = this.#options;
    const ended = this.#options.ended.then(() => null);
    const { deliverer, hold, pages } = this.#parts;
    store.servers.describe(sharedSettingsOf(config));
    if (isWaiting !== true) this.#presence = await joinServers(this.#workspace);
    // Before the first cycle, which publishes what the source has.
    // Held by publishing.test.ts: "the first cycle shows what the source has".
    await following.begin();
    // Before deliveries: while no program ran, nothing was carried to targets.
    // Held by publishing.test.ts: "holds begin anew before the first delivery".
    await hold.renew();
    await deliverer.start();
    const first = await Promise.race([this.#startPublisher(), ended]);
    following.start((change) => this.#publisher?.wake(change));
    const rendered = pages.settle().then(() => {
      this.#arePagesThere = true;
    });
    await Promise.race([rendered, sleep(FIRST_PAGES_MS, undefined, { ref: false }), ended]);
    this.#isStarted = true;
    return first;
  }

  /** Resolves after the first cycle; with null when it failed. */
  #startPublisher(): Promise<PublishReport | null> {
    const ready = this.#options.following.settled;
    return new Promise((resolve) => {
      const listeners: PublisherListeners = {
        onProgress: (progress) => this.#showProgress(progress),
        onPublished: (result) => {
          this.#onPublished(result);
          resolve(result);
        },
        onFailed: (error) => {
          this.#onFailed(error);
          resolve(null);
        },
      };
      const options = { isServer: this.#presence !== null, onBuilt: this.#after.onBuilt, ready };
      this.#publisher = startPublisher(this.#workspace, listeners, options);
    });
  }

  #showProgress({ records, total, files }: BuildProgress): void {
    if (this.#isStarted) return;
    const text = `${counted(records, 'record')}, ${counted(files, 'file')}`;
    this.#options.report.progress({ done: records, total, text });
  }

  /** Each part is woken, and none is waited for: a publish is over when its files are there. */
  #onPublished(result: PublishReport): void {
    const { report, metrics } = this.#options;
    const { deliverer, deploys, hold, pages, sizes } = this.#parts;
    report.endProgress();
    metrics?.built(result);
    this.#logBuild(result);
    const hasChanged = result.generation !== this.#shownGeneration;
    if (hasChanged) pages.wake();
    if (hasChanged || hasChangedFiles(result)) deploys.wake();
    this.#shownGeneration = result.generation;
    void hold.wake();
    deliverer.wake();
    sizes.wake();
  }

  #onFailed(error: unknown): void {
    const { logger, metrics } = this.#options;
    metrics?.buildFailed();
    logger.error({ err: error }, 'the build failed');
    // What was built before may not be there yet.
    if (hasSummary(this.#workspace.paths.contentFolder)) this.#parts.deploys.wake();
  }

  /** All ends at once; what takes longer than a moment is named. */
  async close(): Promise<void> {
    const { deliverer, deploys, hold, pages, placed, sizes, templates } = this.#parts;
    const following = this.#options.following.close();
    const ending = {
      'the look at the source': following,
      'deliveries under way': deliverer.close(),
      'deploys under way': deploys.close(),
      // After the source: a look that ends is still published by the next start.
      'the build': following.then(() => this.#publisher?.close()),
      'the pages': pages.close(),
      'sizes of pictures': sizes.close(),
      'the look at the public site': hold.close(),
    };
    const left = { close: () => this.#sayingWhatIsLeft(ending) };
    await closeAll(left, templates, placed, { close: () => this.#leave() });
  }

  async #leave(): Promise<void> {
    if (this.#presence !== null) await leaveServers(this.#workspace.paths, this.#presence);
  }

  async #sayingWhatIsLeft(ending: Readonly<Record<string, Promise<unknown>>>): Promise<void> {
    const left = new Set(Object.keys(ending));
    const late = setTimeout(() => {
      this.#options.logger.info({ left: [...left] }, 'stopping waits');
    }, SAID_AFTER_MS);
    const ended = await Promise.allSettled(
      Object.entries(ending).map(([name, end]) => end.finally(() => left.delete(name))),
    );
    clearTimeout(late);
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}

const notStarted = (): PrepressError =>
  new PrepressError('INTERNAL', 'The publisher has not started.');

/** Media files count too. */
const hasChangedFiles = ({ files, media }: PublishReport): boolean =>
  files.written + files.removed + (media?.placed ?? 0) + (media?.removed ?? 0) > 0;
