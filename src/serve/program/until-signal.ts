// When programs that run until they are told to end are told so.

/** Listens from the call on: a signal that comes while everything starts ends it as cleanly. */
export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
