// Takes due deliveries out of the outbox as far as slots are free, and knows which ones this program is
// trying, whatever the clock makes of their leases.
import type { Clock } from '../../../base/clock.ts';
import type { Store } from '../../../publication/store/store.ts';
import {
  type ClaimedDelivery,
  claimDue,
  findDueWebhooks,
  hasTimesTooFar,
  pullBackTimes,
} from '../../../publication/store/webhooks/deliveries.ts';
import { createTargetConcurrency } from './concurrency-per-target.ts';

type DeliveryLeasesOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
};

export type DeliveryLeases = {
  /** Most deliveries at once. */
  readonly total: number;
  /** Claims what fits; deliveries of `except` are left alone. */
  readonly claim: (except?: readonly string[]) => Promise<ClaimedDelivery[]>;
  /** Gives the slot of a delivery back. */
  readonly release: (delivery: ClaimedDelivery) => void;
};

export const createDeliveryLeases = ({
  store,
  clock,
  owner,
}: DeliveryLeasesOptions): DeliveryLeases => {
  const slots = createTargetConcurrency();
  return {
    total: slots.total,
    claim: async (except = []) => {
      const now = clock.now();
      // Of several servers, one knows by its clock what is too far.
      if (store.leads() && (await hasTimesTooFar(store, now))) {
        await store.write((tx) => pullBackTimes(tx, clock.now()));
      }
      const picks = slots.pick(await findDueWebhooks(store, now));
      if (picks.length === 0) return [];
      const mine = [...slots.held(), ...except];
      const claimed = await claimDue({ store, clock }, { owner, picks, except: mine });
      for (const delivery of claimed) slots.take(delivery);
      return claimed;
    },
    release: slots.release,
  };
};
