// Ends what a piece of work was begun with, however the work went.

/** What `work` gives; `resource` is closed when it has ended, or failed, also where it gives a promise. */
export const closing = <R extends { readonly close: () => unknown }, T>(
  resource: R,
  work: (resource: R) => T,
): T =>
  endingWith(
    () => resource.close(),
    () => work(resource),
  );

/** The same of a lock. */
export const releasing = <T>(lock: { readonly release: () => void }, work: () => T): T =>
  endingWith(() => lock.release(), work);

const endingWith = <T>(end: () => unknown, work: () => T): T => {
  let isUnderWay = false;
  try {
    const result = work();
    isUnderWay = result instanceof Promise;
    return isUnderWay ? ((result as Promise<unknown>).finally(end) as T) : result;
  } finally {
    if (!isUnderWay) end();
  }
};
