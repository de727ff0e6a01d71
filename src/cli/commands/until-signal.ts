// When programs that run until they are told to end are told so.

/** What still runs then, such as a build, is cut off: the next start makes it good, as after a kill. */
const STOP_MS_MAX = 2_500;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Of a command that failed before in this process. */
let forget = (): void => undefined;

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
    forget();
    forget = () => {
      for (const signal of SIGNALS) process.off(signal, end);
    };
    for (const signal of SIGNALS) process.once(signal, end);
  });
