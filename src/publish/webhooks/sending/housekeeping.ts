// What keeps the outbox in order beside deliveries: leases of programs that died are freed at start, and
// what is older than 30 days is forgotten, and bodies that nobody needs any more, at most once an hour. After a
// jump of the clock, nothing is older than that jump.
import type { Clock } from '../../../base/clock.ts';
import { ATTEMPTS_KEPT_MS } from '../../../base/limits.ts';
import { noteSweep } from '../../../publication/store/log/clock-state.ts';
import type { Store } from '../../../publication/store/store.ts';
import { purgeDeliveries } from '../../../publication/store/webhooks/attempts.ts';
import { listLeaseOwners, releaseLeases } from '../../../publication/store/webhooks/deliveries.ts';
import { forgetBodies } from '../../../publication/store/webhooks/event-bodies.ts';
import { stateOfOwner } from './lease-owner.ts';

const PURGE_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

type HousekeepingOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting: how long the body of a delivery that arrived is kept. */
  readonly redeliveryDays: number;
};

export type Housekeeping = {
  /**
   * Frees what dead programs hold, where one machine has the publication. The server frees what unknown ones hold too: it
   * is the one server of its database, and a container that is made anew has another host name.
   */
  readonly releaseDead: (options: { readonly as: 'server' | 'command' }) => Promise<void>;
  readonly purgeWhenDue: () => Promise<void>;
};

export const createHousekeeping = ({
  store,
  clock,
  redeliveryDays,
}: HousekeepingOptions): Housekeeping => {
  let purgedAt = 0;
  return {
    releaseDead: async ({ as }) => {
      // Other servers are alive, also one on a machine of the same name: leases run out.
      if (store.postgres !== null) return;
      const owners = await listLeaseOwners(store);
      const freed = as === 'server' ? ['dead', 'unknown'] : ['dead'];
      const dead = owners.filter((owner) => freed.includes(stateOfOwner(owner)));
      if (dead.length > 0) await store.write((tx) => releaseLeases(tx, dead));
    },
    purgeWhenDue: async () => {
      const now = clock.now();
      if (Math.abs(now - purgedAt) < PURGE_EVERY_MS) return;
      purgedAt = now;
      const steadyMs = await store.write((tx) => noteSweep(tx, now));
      if (steadyMs >= ATTEMPTS_KEPT_MS) await store.write((tx) => purgeDeliveries(tx, now));
      const keptMs = redeliveryDays * DAY_MS;
      // The bound of their bytes holds all the same.
      await forgetBodies(store, {
        now,
        keptMs: steadyMs < keptMs ? Number.POSITIVE_INFINITY : keptMs,
      });
    },
  };
};
