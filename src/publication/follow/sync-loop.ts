// The loop of following: looks at the source on an interval, and sooner when it is woken. A source that is away, or
// cannot be read, is tried again, after longer and longer waits; its loss is told once, and its return. Owns its timers.
import type { Clock } from '../../base/clock.ts';
import { PrepressError } from '../../base/errors.ts';
import { asKnownError } from '../../base/sqlite/database-fault.ts';
import { Pause } from '../../base/threads/pause.ts';
import type { Source } from '../sources/source.ts';
import { findFollowing } from '../store/import/following.ts';
import type { Store } from '../store/store.ts';
import { type FollowState, readFollowState, writeFollowState } from './follow-state.ts';
import { createKnownTables } from './known-tables.ts';
import { type SyncOptions, type SyncReport, syncOnce } from './sync-once.ts';

/** After a failed look, the next one waits this long, doubled each time up to the maximum. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** A cycle of the publisher waits no longer than this for a look that was asked for. */
const ASKED_MS_MAX = 5_000;

type SyncLoopOptions = {
  readonly store: Store;
  readonly source: Source;
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Where the state is kept for `status`. */
  readonly statePath: string;
  readonly retryMs?: number;
  readonly onRead?: SyncOptions['onRead'];
  readonly renderer?: SyncOptions['renderer'];
  readonly permalinks?: string;
  readonly onTaken: (report: SyncReport) => void;
  /** What whoever follows should know, once while it holds; a look may find it and take nothing. */
  readonly onWarning: (sentence: string) => void;
  readonly onLost: (error: PrepressError) => void;
  readonly onReturned: () => void;
  /** Somebody ended following, or began to follow another source. */
  readonly onEnded: () => void;
};

export type SyncLoop = {
  readonly wake: () => void;
  /** Resolves when the looks that were asked for have ended, or after some seconds. */
  readonly settled: () => Promise<void>;
  readonly state: () => FollowState;
  /** Ends the loop after the look that runs. */
  readonly close: () => Promise<void>;
};

export const startSyncLoop = (options: SyncLoopOptions): SyncLoop => {
  const loop = new FollowLoop(options);
  const running = loop.run();
  return {
    wake: () => loop.wake(),
    settled: () => loop.settled(),
    state: () => loop.state,
    close: async () => {
      loop.close();
      await running;
    },
  };
};

type Waiting = { readonly asked: number; readonly done: () => void };

class FollowLoop {
  readonly #options: SyncLoopOptions;
  readonly #known = createKnownTables();
  #waiting: readonly Waiting[] = [];
  #isClosed = false;
  /** Looks that were asked for, and how many of them a look has answered; the first is for the start. */
  #asked = 1;
  #answered = 0;
  #isEnded = false;
  #fingerprint: string | null = null;
  #warnings: readonly string[] = [];
  #retryMs: number;
  readonly #pause = new Pause();
  state: FollowState;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    this.state = { ...readFollowState(options.statePath, options.source.name), error: null };
  }

  wake(): void {
    this.#asked += 1;
    this.#pause.interrupt();
  }

  close(): void {
    this.#isClosed = true;
    this.#pause.interrupt();
    this.#answer(Number.POSITIVE_INFINITY);
  }

  async settled(): Promise<void> {
    const asked = this.#asked;
    if (this.#answered >= asked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ASKED_MS_MAX);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting = [...this.#waiting, { asked, done }];
    });
  }

  async run(): Promise<void> {
    while (!this.#isClosed) {
      const asked = this.#asked;
      const waitMs = await this.#look();
      this.#answer(asked);
      if (this.#asked === asked && !this.#isClosed) await this.#pause.wait(waitMs);
    }
  }

  #answer(asked: number): void {
    this.#answered = Math.max(this.#answered, asked);
    const answered = this.#waiting.filter((waiting) => waiting.asked <= this.#answered);
    this.#waiting = this.#waiting.filter((waiting) => !answered.includes(waiting));
    for (const { done } of answered) done();
  }

  #warn(warnings: readonly string[]): void {
    const known = this.#warnings;
    this.#warnings = warnings;
    for (const one of warnings) if (!known.includes(one)) this.#options.onWarning(one);
  }

  /** Returns how long to wait for the next one. */
  async #look(): Promise<number> {
    const { store, source, clock, intervalMs, onRead, renderer, permalinks } = this.#options;
    try {
      if (!store.leads() || !(await this.#isOurs())) return intervalMs;
      const fingerprint = await source.fingerprint();
      const isSame = fingerprint !== null && fingerprint === this.#fingerprint;
      const deps = { store, source, clock, known: this.#known };
      const report = isSame ? null : await syncOnce(deps, { onRead, renderer, permalinks });
      this.#fingerprint = fingerprint;
      const now = clock.now();
      const hadError = this.state.error !== null;
      // A row that was changed a moment ago is read once more, whether or not it differs.
      const hasTaken = report !== null && report.changed + report.gone + report.named > 0;
      const importedAt = hasTaken ? now : this.state.importedAt;
      this.#set({ checkedAt: now, importedAt, error: null });
      this.#retryMs = this.#options.retryMs ?? RETRY_MS;
      if (hadError) this.#options.onReturned();
      if (report !== null) this.#warn(report.warnings);
      if (hasTaken) this.#options.onTaken(report);
      return intervalMs;
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Told once when it ends, and noticed when it begins again. */
  async #isOurs(): Promise<boolean> {
    const { store, source, onEnded } = this.#options;
    const following = await findFollowing(store);
    const isOurs = following?.source === source.name && following.detached_at === null;
    if (!isOurs && !this.#isEnded) onEnded();
    if (!isOurs) this.#fingerprint = null;
    this.#isEnded = !isOurs;
    return isOurs;
  }

  #fail(error: unknown): number {
    const { clock, onLost } = this.#options;
    const known = asKnownError(error);
    const lost =
      known instanceof PrepressError
        ? known
        : new PrepressError('INTERNAL', 'Something went wrong.', { cause: known });
    const { code, message } = lost;
    const before = this.state.error;
    const isTold = before?.code === code;
    this.#set({ error: { code, message, since: before?.since ?? clock.now() } });
    if (!isTold) onLost(lost);
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(waitMs * 2, RETRY_MAX_MS);
    return waitMs;
  }

  #set(change: Partial<FollowState>): void {
    this.state = { ...this.state, ...change };
    writeFollowState(this.#options.statePath, this.state);
  }
}
