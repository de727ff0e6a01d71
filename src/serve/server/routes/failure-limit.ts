// Counts failed authentications by address; over the limit they are answered 429 until the window has
// passed. A good key is never held up by it (decisions, Admin).
import type { Clock } from '../../../base/clock.ts';
import { clientOf } from '../connections/client-address.ts';

export type FailureLimit = {
  /** Notes a failure; answers the seconds to wait when the limit is passed, else null. */
  readonly fail: (address: string) => number | null;
};

const WINDOW_MS = 600_000;
/** Addresses remembered at most; the oldest window is forgotten first. */
const ADDRESSES_MAX = 10_000;

export const createFailureLimit = (failuresMax: number, clock: Clock): FailureLimit => {
  const windows = new Map<string, { failures: number; readonly endsAt: number }>();
  return {
    fail: (sent) => {
      const address = clientOf(sent);
      const now = clock.now();
      const known = windows.get(address);
      // One that ends later than any window does began before the clock went back.
      const isOver = known === undefined || known.endsAt <= now || known.endsAt > now + WINDOW_MS;
      if (isOver) {
        windows.delete(address);
        const [oldest] = windows.keys();
        if (windows.size >= ADDRESSES_MAX && oldest !== undefined) windows.delete(oldest);
        windows.set(address, { failures: 1, endsAt: now + WINDOW_MS });
        return null;
      }
      known.failures += 1;
      if (known.failures <= failuresMax) return null;
      return Math.max(1, Math.ceil((known.endsAt - now) / 1000));
    },
  };
};
