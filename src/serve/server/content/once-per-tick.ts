// A value that many requests of one tick of the event loop ask for, read once: nothing of this program runs
// between them, and what other programs do within a tick counts as done after it.

export const oncePerTick = <T>(read: () => T): (() => T) => {
  let known: { readonly value: T } | null = null;
  return () => {
    if (known === null) {
      known = { value: read() };
      setImmediate(() => {
        known = null;
      });
    }
    return known.value;
  };
};
