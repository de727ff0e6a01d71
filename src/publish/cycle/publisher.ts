// The loop: notices any commit that changed the publication, lets a burst settle, publishes, and publishes scheduled posts on
// time. `wake` is only a hint. Owns every timer of publishing.
import { type Problem, problemOf } from '../../base/sqlite/database-fault.ts';
import { Pause } from '../../base/threads/pause.ts';
import { isFollowing } from '../../publication/store/import/following.ts';
import { compareClock } from '../../publication/store/log/clock-state.ts';
import { findNextDue, requestBuild } from '../../publication/store/log/publishing.ts';
import type { PublicationMark } from '../../publication/store/store.ts';
import type { BuildProgress } from '../build/run-build.ts';
import { createBlobMemory } from '../build/tree/blob-memory.ts';
import { hasSummary } from '../output/session/open-session.ts';
import { announceBeside } from './announce.ts';
import type { PublishDeps } from './publish-deps.ts';
import { type PublishOptions, type PublishReport, publishOnce } from './publish-once.ts';

/** Quiet time before a burst of changes is built, and the longest wait for it (decisions). */
const SETTLE_QUIET_MS = 200;
const SETTLE_MAX_MS = 2_000;
const POLL_MS = 200;
/** After a failed cycle, the next one waits this long, doubled each time up to the maximum. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export type PublisherState = {
  readonly state: 'starting' | 'idle' | 'settling' | 'building' | 'failing' | 'closed';
  /** Of the newest cycle, which often changes nothing; the names of its files are in `changedFiles`. */
  readonly lastReport: PublishReport | null;
  /** What the newest build of this program that changed files did to them. */
  readonly changedFiles: ChangedFiles | null;
  readonly lastError: Problem | null;
  /** Records that the running build has rendered, and about as many as there will be; null between builds. */
  readonly progress: { readonly records: number; readonly total: number } | null;
};

type ChangedFiles = Pick<PublishReport, 'generation'> & Pick<PublishReport['files'], 'names'>;

export const STARTING: PublisherState = {
  state: 'starting',
  lastReport: null,
  changedFiles: null,
  lastError: null,
  progress: null,
};

export type PublisherListeners = {
  readonly onProgress?: (progress: BuildProgress) => void;
  readonly onPublished: (report: PublishReport) => void;
  readonly onFailed: (error: unknown) => void;
};

export type Publisher = {
  /** Says that something may have changed. */
  readonly wake: (change?: WholeChange) => void;
  /** Asks for a build even if nothing changed; resolves with its id at once. */
  readonly requestBuild: (requestedBy: string) => Promise<{ readonly id: string }>;
  readonly state: () => PublisherState;
  /** Ends the loop after the cycle that runs. */
  readonly close: () => Promise<void>;
};

/** `isWhole`: what was committed is all of it, so the next cycle does not wait for more. */
export type WholeChange = { readonly isWhole: boolean };

type PublisherOptions = {
  readonly retryMs?: number;
  /** True by default. */
  readonly isServer?: PublishOptions['isServer'];
  readonly onBuilt?: PublishOptions['onBuilt'];
  /** What a cycle waits for, so that it publishes what a call was made for: resolves soon. */
  readonly ready?: (() => Promise<void>) | undefined;
};

export const startPublisher = (
  deps: PublishDeps,
  listeners: PublisherListeners,
  { retryMs = RETRY_MS, ...options }: PublisherOptions = {},
): Publisher => {
  const { store, clock } = deps;
  const loop = new Loop(deps, listeners, { retryMs, ...options });
  const running = loop.run();
  return {
    wake: (change) => loop.wake(change),
    requestBuild: async (requestedBy) => {
      const id = await requestBuild(store, requestedBy, clock.now());
      loop.wake();
      return { id };
    },
    state: () => loop.state,
    close: () => {
      loop.close();
      return running;
    },
  };
};

class Loop {
  readonly #deps: PublishDeps;
  readonly #listeners: PublisherListeners;
  #isClosed = false;
  #isWoken = true;
  #isWhole = false;
  #seenVersion = -1;
  #seenMark: PublicationMark = { log: '', generation: -1, announcedMs: null, isOneSave: false };
  #nextDue: number | null = null;
  /** Whether the clock was behind in the newest cycle: another one says so, or makes good, when that ends. */
  #wasBehind = false;
  /** Who leads now announces what the server before it left. */
  #led = true;
  readonly #options: Pick<PublishOptions, 'isServer' | 'onBuilt'>;
  readonly #ready: PublisherOptions['ready'];
  readonly #firstRetryMs: number;
  #retryMs: number;
  #retryAt = Number.POSITIVE_INFINITY;
  readonly #pause = new Pause();
  state: PublisherState = STARTING;

  constructor(
    deps: PublishDeps,
    listeners: PublisherListeners,
    { retryMs, isServer = true, onBuilt, ready }: PublisherOptions & { readonly retryMs: number },
  ) {
    this.#options = { isServer, onBuilt };
    this.#ready = ready;
    this.#deps = { blobMemory: createBlobMemory(), lastChange: { seq: -1 }, ...deps };
    this.#listeners = listeners;
    this.#firstRetryMs = retryMs;
    this.#retryMs = retryMs;
  }

  wake({ isWhole }: WholeChange = { isWhole: false }): void {
    this.#isWoken = true;
    this.#isWhole ||= isWhole;
    this.#pause.interrupt();
  }

  close(): void {
    this.#isClosed = true;
    this.#pause.interrupt();
  }

  async run(): Promise<void> {
    const { servers } = this.#deps.store;
    while (!this.#isClosed) {
      // Before the snapshot, which shows it.
      const seen = servers.seen();
      if (this.#hasWork()) {
        await this.#settle();
        await this.#ready?.();
        if (!this.#isClosed) await this.#cycle();
      } else {
        await this.#pause.wait(POLL_MS);
      }
      if (this.state.state === 'idle') servers.placed(seen);
    }
    this.#set({ state: 'closed' });
  }

  #hasWork(): boolean {
    const { store, clock } = this.#deps;
    const isElected = store.leads() && !this.#led;
    this.#led = store.leads();
    const isDue = this.#nextDue !== null && this.#nextDue <= clock.now();
    const isTurned = this.#isBehind() !== this.#wasBehind;
    const isRetry = performance.now() >= this.#retryAt;
    const isTime = isElected || isDue || isTurned || isRetry;
    return this.#hasNews() || this.#isWoken || isTime || this.#isTreeGone();
  }

  #isBehind(): boolean {
    return compareClock(this.#deps.clock.now(), this.#seenMark.announcedMs).isBehind;
  }

  /** Reads the version first: a commit that comes later is seen on the next poll. */
  #hasNews(): boolean {
    const { store } = this.#deps;
    const version = store.dataVersion();
    if (version === this.#seenVersion) return false;
    const { log, generation, announcedMs } = store.publicationMark();
    const seen = this.#seenMark;
    const isAnnounced = generation !== seen.generation || announcedMs !== seen.announcedMs;
    const isNews = log !== seen.log || isAnnounced;
    if (!isNews) this.#seenVersion = version;
    return isNews;
  }

  /** Someone removed the tree that was built; while builds fail, retries are enough. */
  #isTreeGone(): boolean {
    return this.state.state === 'idle' && !hasSummary(this.#deps.paths.contentFolder);
  }

  async #settle(): Promise<void> {
    this.#set({ state: 'settling' });
    const started = performance.now();
    const { store } = this.#deps;
    const first = store.publicationMark();
    this.#isWoken = false;
    // It is whole, and whoever made it waits for it.
    if (first.isOneSave) return;
    let mark = first.log;
    while (!this.#isClosed && !this.#isWhole && performance.now() - started < SETTLE_MAX_MS) {
      this.#isWoken = false;
      await this.#pause.wait(SETTLE_QUIET_MS);
      const now = store.publicationMark().log;
      if (now === mark && !this.#isWoken) return;
      mark = now;
    }
  }

  async #cycle(): Promise<void> {
    this.#set({ state: 'building' });
    this.#isWoken = false;
    this.#isWhole = false;
    this.#retryAt = Number.POSITIVE_INFINITY;
    const { store } = this.#deps;
    // Before the snapshot opens: what it does not show is news for the next cycle.
    // Held by publisher.test.ts: "a commit that a running build did not see is built next".
    this.#seenVersion = store.dataVersion();
    this.#seenMark = store.publicationMark();
    const early = announceBeside(this.#deps);
    try {
      // Before the lock is waited for: until then nothing can be saved to the new file.
      await store.reopenIfReplaced();
      const report = await publishOnce(this.#deps, {
        ...this.#options,
        onProgress: ({ records, total, files }) => {
          this.#set({ progress: { records, total } });
          this.#listeners.onProgress?.({ records, total, files });
        },
      });
      this.#wasBehind = report.clockWarning !== null;
      // A source that is followed publishes what is due, or another server does.
      const isHeld = this.#wasBehind || !store.leads() || (await isFollowing(store));
      this.#nextDue = isHeld ? null : await findNextDue(store);
      this.#retryMs = this.#firstRetryMs;
      this.#set({ state: 'idle', ...summaryOf(report), lastError: null, progress: null });
      this.#listeners.onPublished(report);
    } catch (error) {
      this.#fail(error);
    } finally {
      const { generation, announcedMs } = store.publicationMark();
      this.#seenMark = { ...this.#seenMark, generation, announcedMs };
      await early.end();
    }
  }

  /** The next cycle comes with the next commit, which may mend a row, or after a while. */
  #fail(error: unknown): void {
    this.#set({ state: 'failing', lastError: problemOf(error), progress: null });
    this.#listeners.onFailed(error);
    this.#retryAt = performance.now() + this.#retryMs;
    // A post that is due is published by the retry, not by a cycle of its own.
    this.#nextDue = null;
    this.#wasBehind = this.#isBehind();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
  }

  #set(change: Partial<PublisherState>): void {
    this.state = { ...this.state, ...change };
  }
}

/** Names of files can be many: they are kept once, and until other files change. */
const summaryOf = (
  report: PublishReport,
): Pick<PublisherState, 'lastReport'> & Partial<Pick<PublisherState, 'changedFiles'>> => {
  const { generation, files } = report;
  const { written, removed, names } = files;
  return {
    lastReport: { ...report, files: { ...files, names: null } },
    ...(written + removed > 0 && { changedFiles: { generation, names } }),
  };
};
