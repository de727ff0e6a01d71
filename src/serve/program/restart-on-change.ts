// Runs a server until it is told to end. When the settings file changes, the server is closed and started again with
// the new settings, in the same process; settings that cannot be used leave it as it is.

import { asKnownError } from '../../base/sqlite/database-fault.ts';
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
  readonly onRefused: (error: unknown) => void;
};

/** Throws what the first start throws, and what the old settings' does when new ones could not be started with. */
export const restartOnChange = async (run: RestartingRun): Promise<void> => {
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
  try {
    for (;;) {
      await changes.taken();
      if (isEnded) break;
      const next = await findChanged(run, current);
      if (next === null) continue;
      const names = differing(current, next);
      await session?.close();
      session = null;
      try {
        session = await run.start(next);
        current = next;
        run.onReloaded(names);
      } catch (error) {
        run.onRefused(error);
        session = await run.start(current);
      }
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
  /** Resolves when the signal was given since it was taken last. */
  readonly taken: () => Promise<void>;
};

const createSignal = (): Signal => {
  let isGiven = false;
  let wake: () => void = () => undefined;
  return {
    give: () => {
      isGiven = true;
      wake();
    },
    taken: async () => {
      if (!isGiven) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isGiven = false;
    },
  };
};
