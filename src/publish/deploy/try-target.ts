// One try to bring a target up to date, and what is written down of a try that failed.
import { PrepressError } from '../../base/errors.ts';
import { asKnownError, problemOf } from '../../base/sqlite/database-fault.ts';
import type { OutputSource } from './output-source.ts';
import {
  type Destination,
  type SyncedTarget,
  type SyncTargetOptions,
  syncTarget,
} from './sync-target.ts';
import { readTargetState, stateFileOf, writeTargetState } from './target-state.ts';

export type Target = {
  /** For people; without secrets. */
  readonly name: string;
  /** Part of the names of its files. */
  readonly id: string;
  /** Asked for each time: what a target gets may change while a server runs. */
  readonly destination: () => Destination;
};

export type Tried =
  | { readonly isThere: true; readonly report: SyncedTarget }
  | {
      readonly isThere: false;
      readonly error: unknown;
      /** Tries that failed in a row; 0: nothing is wrong with the target, a build is in the way. */
      readonly failures: number;
    };

type TryOptions = SyncTargetOptions & {
  /** How long until the next try, after so many failures in a row; absent: nobody tries by itself. */
  readonly waitMs?: (failures: number) => number;
};

/** Never throws. */
export const tryTarget = async (
  source: OutputSource,
  target: Target,
  options: TryOptions = {},
): Promise<Tried> => {
  try {
    const report = await syncTarget(source, target.destination(), options);
    return { isThere: true, report };
  } catch (cause) {
    const error = asKnownError(cause);
    const isOurs = error instanceof PrepressError && error.code === 'BUILD_BUSY';
    if (isOurs || options.signal?.aborted === true) return { isThere: false, error, failures: 0 };
    return { isThere: false, error, failures: noteFailure(source, target, { error, ...options }) };
  }
};

type Failure = Pick<TryOptions, 'waitMs'> & { readonly error: unknown };

const noteFailure = (
  { folder, clock }: OutputSource,
  { id, name }: Target,
  { error, waitMs }: Failure,
): number => {
  const file = stateFileOf(folder, id);
  const state = readTargetState(file, name);
  const failures = state.failures + 1;
  const now = clock.now();
  try {
    writeTargetState(file, {
      ...state,
      failures,
      failingSince: Math.min(state.failingSince ?? now, now),
      lastError: problemOf(error),
      nextTryAt: waitMs === undefined ? null : now + waitMs(failures),
    });
  } catch {
    // The disk that does not take this is what the next try meets, too.
  }
  return failures;
};
