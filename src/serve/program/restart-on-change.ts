// Runs a server until it is told to end. When the settings file changes, the server is closed and started again with
// the new settings, in the same process; settings that cannot be used leave it as it is. Those that another server does
// not have yet are taken once that has them, or is gone.

import { PrepressError } from '../../base/errors.ts';
import { asKnownError } from '../../base/sqlite/database-fault.ts';
import { Pause } from '../../base/threads/pause.ts';
import type { Config } from '../../settings/settings.ts';
import { watchFile } from './watch-files.ts';

export type Session = {
  readonly close: () => Promise<void>;
  /** Whether no server that runs has other settings than these. */
  readonly fits: (config: Config) => Promise<boolean>;
};

export type StartHow = {
  /** Newer settings wait for another server: nobody has to have those of this start. */
  readonly isWaiting: boolean;
};

export type RestartingRun = {
  readonly config: Config;
  /** Absolute path of the settings file, which may be absent. */
  readonly settingsFile: string;
  readonly reload: () => Promise<Config>;
  /** Resolves when the program is to end. */
  readonly ended: Promise<void>;
  /** A start that fails leaves nothing open. */
  readonly start: (config: Config, how: StartHow) => Promise<Session>;
  readonly onReloaded: (names: readonly string[]) => void;
  /** Once for each cause, as long as nothing can be started. */
  readonly onRefused: (error: unknown) => void;
  /** What could not be started runs again, with the settings as they were. */
  readonly onRecovered: () => void;
  readonly retryMs?: number;
  readonly lookMs?: number;
};

/** What keeps the old settings from being started with again may pass: a disk that is away, a file of another user. */
const RETRY_MS = 5_000;
/** How often other servers are looked at, whose settings keep newer ones waiting. */
const LOOK_MS = 1_000;

/** Throws what the first start throws, unless the file has changed since it was read. */
export const restartOnChange = async (given: RestartingRun): Promise<void> => {
  const refused = new Set<string>();
  const run: RestartingRun = {
    ...given,
    onRefused: (error) => {
      const cause = String(error);
      if (!refused.has(cause)) given.onRefused(error);
      refused.add(cause);
    },
  };
  const state: State = { session: null, current: run.config, waiting: null };
  let isEnded = false;
  const changes = createSignal();
  const ended = run.ended.then(() => {
    isEnded = true;
    changes.give();
  });
  const watching = watchFile(run.settingsFile, changes.give);
  // It may have changed since it was read.
  changes.give();
  state.session = await startFirst(run, state).catch(async (error: unknown) => {
    await watching.close();
    throw error;
  });
  try {
    for (;;) {
      const isAway = state.session === null;
      if (!isAway) refused.clear();
      const isGiven = await changes.taken(waitMsOf(run, state));
      if (isEnded) break;
      const next = await findNext(run, state, { isGiven });
      if (next !== null) await change(run, state, next);
      if (state.session !== null) continue;
      state.session = await tryStart(run, state, state.current);
      if (isAway && state.session !== null) run.onRecovered();
    }
  } finally {
    await watching.close();
    await state.session?.close();
  }
  await ended;
};

type State = {
  session: Session | null;
  /** What it was started with. */
  current: Config;
  /** Refused because of another server. */
  waiting: Config | null;
};

const startFirst = async (run: RestartingRun, state: State): Promise<Session> => {
  try {
    return await run.start(state.current, { isWaiting: false });
  } catch (error) {
    // Another server may have taken the change before this one.
    const next = await findNext(run, state, { isGiven: true });
    if (next === null) throw error;
    state.current = next;
    return startFirst(run, state);
  }
};

const waitMsOf = (run: RestartingRun, { session, waiting }: State): number | null => {
  if (session === null) return run.retryMs ?? RETRY_MS;
  return waiting === null ? null : (run.lookMs ?? LOOK_MS);
};

const change = async (run: RestartingRun, state: State, next: Config): Promise<void> => {
  // What it cannot end well, such as beside a folder that is away, keeps nothing from starting.
  await state.session?.close().catch(run.onRefused);
  state.waiting = null;
  state.session = await tryStart(run, state, next);
  if (state.session === null) return;
  run.onReloaded(differing(state.current, next));
  state.current = next;
};

const tryStart = (run: RestartingRun, state: State, config: Config): Promise<Session | null> =>
  run.start(config, { isWaiting: state.waiting !== null }).catch((error: unknown) => {
    run.onRefused(error);
    const isOthers = error instanceof PrepressError && error.code === 'SETTINGS_DIFFER';
    if (isOthers && config !== state.current) state.waiting = config;
    return null;
  });

type How = {
  /** The file may have changed. */
  readonly isGiven: boolean;
};

/** Null when nothing is to be started with other settings. */
const findNext = async (
  run: RestartingRun,
  { session, current, waiting }: State,
  { isGiven }: How,
): Promise<Config | null> => {
  if (session !== null && waiting !== null && !isGiven) {
    // A lock that cannot be looked at now can be later.
    return (await session.fits(waiting).catch(() => false)) ? waiting : null;
  }
  try {
    const next = await run.reload();
    return waiting !== null || differing(current, next).length > 0 ? next : null;
  } catch (error) {
    run.onRefused(asKnownError(error));
    return null;
  }
};

const differing = (one: Config, other: Config): string[] =>
  Object.keys(one).filter((name) => {
    const key = name as keyof Config;
    return JSON.stringify(one[key]) !== JSON.stringify(other[key]);
  });

type Signal = {
  readonly give: () => void;
  /** Resolves when the signal was given since it was taken last, or after so many milliseconds with false. */
  readonly taken: (milliseconds: number | null) => Promise<boolean>;
};

const createSignal = (): Signal => {
  let isGiven = false;
  const pause = new Pause();
  return {
    give: () => {
      isGiven = true;
      pause.interrupt();
    },
    taken: async (milliseconds) => {
      if (!isGiven) await pause.wait(milliseconds);
      const wasGiven = isGiven;
      isGiven = false;
      return wasGiven;
    },
  };
};
