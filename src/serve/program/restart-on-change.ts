// Runs a server until it is told to end. When the settings file changes, the server is closed and started again with
// the new settings, in the same process; settings that cannot be used leave it as it is.

import { asKnownError } from '../../base/sqlite/database-fault.ts';
import { Pause } from '../../base/threads/pause.ts';
import type { Config } from '../../settings/settings.ts';
import { watchFile } from './watch-files.ts';

export type Session = {
  readonly close: () => Promise<void>;
};

export type RestartingRun = {
  readonly config: Config;
  /** Absolute path of the settings file, which may be absent. */
  readonly settingsFile: string;
  readonly reload: () => Promise<Config>;
  /** Resolves when the program is to end. */
  readonly ended: Promise<void>;
  /** A start that fails leaves nothing open. */
  readonly start: (config: Config) => Promise<Session>;
  readonly onReloaded: (names: readonly string[]) => void;
  /** Once for each cause, as long as nothing can be started. */
  readonly onRefused: (error: unknown) => void;
  /** What could not be started runs again, with the settings as they were. */
  readonly onRecovered: () => void;
  readonly retryMs?: number;
};

/** What keeps the old settings from being started with again may pass: a disk that is away, a file of another user. */
const RETRY_MS = 5_000;

/** Throws what the first start throws. */
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
  let current = run.config;
  let isEnded = false;
  const changes = createSignal();
  const ended = run.ended.then(() => {
    isEnded = true;
    changes.give();
  });
  const watching = watchFile(run.settingsFile, changes.give);
  let session: Session | null = await run.start(current).catch(async (error: unknown) => {
    await watching.close();
    throw error;
  });
  const tryStart = (config: Config): Promise<Session | null> =>
    run.start(config).catch((error: unknown) => {
      run.onRefused(error);
      return null;
    });
  try {
    for (;;) {
      const isAway = session === null;
      if (!isAway) refused.clear();
      await changes.taken(isAway ? (run.retryMs ?? RETRY_MS) : null);
      if (isEnded) break;
      const next = await findChanged(run, current);
      if (next !== null) {
        // What it cannot end well, such as beside a folder that is away, keeps nothing from starting.
        await session?.close().catch(run.onRefused);
        session = await tryStart(next);
        if (session !== null) {
          run.onReloaded(differing(current, next));
          current = next;
        }
      }
      if (session !== null) continue;
      session = await tryStart(current);
      if (isAway && session !== null) run.onRecovered();
    }
  } finally {
    await watching.close();
    await session?.close();
  }
  await ended;
};

/** Null when the settings are as they were, or cannot be used. */
const findChanged = async (run: RestartingRun, current: Config): Promise<Config | null> => {
  try {
    const next = await run.reload();
    return differing(current, next).length > 0 ? next : null;
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
  /** Resolves when the signal was given since it was taken last, or after so many milliseconds. */
  readonly taken: (milliseconds: number | null) => Promise<void>;
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
      isGiven = false;
    },
  };
};
