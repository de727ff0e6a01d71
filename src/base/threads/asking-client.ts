// The client that work is done for, from its request on through all that waits for it: work that nobody waits for any more
// can end.
import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<AbortSignal>();

/** `left` is aborted when the client has left. */
export const whileAsked = <T>(left: AbortSignal, work: () => T): T => asking.run(left, work);

/** Undefined where no client asks. */
export const clientLeft = (): AbortSignal | undefined => asking.getStore();
