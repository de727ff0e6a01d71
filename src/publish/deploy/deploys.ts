// Carries every publish to the targets of the setting `deploy` while a server runs: one deploy at a time for each target, of
// the build that is the newest when it begins. What failed is tried again after waits that grow. Owns the timers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pause } from '../../base/threads/pause.ts';
import type { OutputSource } from './output-source.ts';
import type { SyncedTarget } from './sync-target.ts';
import { readTargetState, stateFileOf, type TargetState } from './target-state.ts';
import { type Target, tryTarget } from './try-target.ts';

export type DeployListeners = {
  readonly onCarried: (target: string, report: SyncedTarget, milliseconds: number) => void;
  readonly onFailed: (target: string, error: unknown, nextTryMs: number) => void;
};

type DeploysOptions = {
  readonly source: OutputSource;
  readonly targets: readonly Target[];
  /** A target that has been failing for this long is not waited for. */
  readonly waitMs: number;
  readonly listeners: DeployListeners;
  readonly retryMs?: number;
  /** Between two looks: the output may have other pictures, and the folder of a target may be an older copy. */
  readonly lookMs?: number;
  /** False while another server does it. */
  readonly mayLook?: () => boolean;
};

export type Deploys = {
  /** Says that the output may have changed. */
  readonly wake: () => void;
  /**
   * Names of the targets that lack the build: none once all have it; those that are down once only they lack it; all that
   * lack it at the time `until`, or when the signal ends the waiting.
   */
  readonly whenThere: (
    generation: number,
    options: { readonly until: number; readonly signal: AbortSignal },
  ) => Promise<string[]>;
  /** Ends deploys that are under way; the next start goes on. */
  readonly close: () => Promise<void>;
};

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 5 * 60_000;
/** A person may have deployed by hand meanwhile. */
const LOOK_MS = 2_000;

/** The wait after so many failures in a row. */
export const retryWaitMs = (failures: number, firstMs = RETRY_MS): number =>
  Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30), RETRY_MAX_MS);

export const startDeploys = (options: DeploysOptions): Deploys => {
  const { source, targets, waitMs } = options;
  const ending = new AbortController();
  const loops = targets.map((target) => new TargetLoop(target, options, ending.signal));
  const running = loops.map((loop) => loop.run());
  const lacking = (generation: number): Lacking[] =>
    targets.flatMap(({ name, id }) => {
      const state = readTargetState(stateFileOf(source.folder, id), name);
      return hasGeneration(state, generation, source) ? [] : [{ name, since: state.failingSince }];
    });
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    whenThere: async (generation, { until, signal }) => {
      for (;;) {
        const now = source.clock.now();
        const left = lacking(generation);
        const isDown = ({ since }: Lacking): boolean => since !== null && now - since >= waitMs;
        if (left.every(isDown) || now >= until || signal.aborted)
          return left.map(({ name }) => name);
        await Promise.race([
          sleep(LOOK_MS, undefined, { signal }),
          ...loops.map((one) => one.nextTryEnded()),
        ]).catch(() => undefined);
      }
    },
    close: async () => {
      ending.abort();
      for (const loop of loops) loop.wake();
      await Promise.all(running);
    },
  };
};

type Lacking = { readonly name: string; readonly since: number | null };

/** A number beyond the newest build is of a publication that was put back since. */
const hasGeneration = (
  { generation: there }: TargetState,
  generation: number,
  { manifest }: OutputSource,
): boolean => there !== null && there >= generation && there <= (manifest?.generation() ?? 0);

class TargetLoop {
  readonly #target: Target;
  readonly #options: DeploysOptions;
  readonly #signal: AbortSignal;
  #isAsked = false;
  #tryAt = 0;
  #carriedAt: number | null = null;
  readonly #pause = new Pause();
  #nextTry = createSignal();

  constructor(target: Target, options: DeploysOptions, signal: AbortSignal) {
    this.#target = target;
    this.#options = options;
    this.#signal = signal;
  }

  wake(): void {
    this.#isAsked = true;
    this.#pause.interrupt();
  }

  nextTryEnded(): Promise<void> {
    return this.#nextTry.ended;
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      const waitMs = this.#tryAt - performance.now();
      if (!this.#isAsked) {
        const { lookMs = RETRY_MAX_MS, mayLook } = this.#options;
        await this.#pause.wait(lookMs);
        this.#isAsked ||= mayLook?.() ?? true;
      } else if (waitMs > 0 && !this.#isCarriedByOthers()) {
        await this.#pause.wait(Math.min(waitMs, LOOK_MS));
      } else await this.#try();
    }
  }

  async #try(): Promise<void> {
    this.#isAsked = false;
    const { source, listeners, retryMs } = this.#options;
    const { name } = this.#target;
    const started = performance.now();
    const waitMs = (failures: number): number => retryWaitMs(failures, retryMs);
    const tried = await tryTarget(source, this.#target, { signal: this.#signal, waitMs });
    if (this.#signal.aborted) return;
    this.#carriedAt = this.#state().carriedAt;
    if (tried.isThere) {
      this.#tryAt = 0;
      listeners.onCarried(name, tried.report, Math.round(performance.now() - started));
    } else {
      const nextMs = waitMs(tried.failures);
      this.#isAsked = true;
      this.#tryAt = performance.now() + nextMs;
      if (tried.failures > 0) listeners.onFailed(name, tried.error, nextMs);
    }
    this.#nextTry.end();
    this.#nextTry = createSignal();
  }

  #isCarriedByOthers(): boolean {
    return this.#state().carriedAt !== this.#carriedAt;
  }

  #state(): TargetState {
    const { name, id } = this.#target;
    return readTargetState(stateFileOf(this.#options.source.folder, id), name);
  }
}

type Signal = { readonly ended: Promise<void>; readonly end: () => void };

const createSignal = (): Signal => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
};
