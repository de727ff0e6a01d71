// When programs that run until they are told to end are told so.

/** What still runs then, such as a build, is cut off: the next start makes it good, as after a kill. */
const STOP_MS_MAX = 2_500;

/**
 * Listens from the call on: a signal that comes while everything starts ends it as cleanly. From the signal on the
 * process has 3 s to end by itself.
 */
export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      setTimeout(() => process.exit(), STOP_MS_MAX).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
