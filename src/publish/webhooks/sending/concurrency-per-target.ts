// Counts what is being tried, in all, by webhook and by host, and says how much more may be: the bounds
// that keep one slow receiver from taking every slot.
import type {
  ClaimedDelivery,
  DueWebhook,
} from '../../../publication/store/webhooks/deliveries.ts';

const TOTAL = 16;
const PER_WEBHOOK = 2;
const PER_HOST = 4;

type Taken = Pick<ClaimedDelivery, 'id' | 'webhookId' | 'targetUrl'>;
export type Claimable = { readonly webhookId: string; readonly limit: number };

export type TargetConcurrency = {
  readonly total: number;
  /** How many deliveries to claim for which webhook, the longest waiting first. */
  readonly pick: (due: readonly DueWebhook[]) => Claimable[];
  readonly take: (delivery: Taken) => void;
  readonly release: (delivery: Taken) => void;
  /** Ids of the deliveries that hold a slot. */
  readonly held: () => string[];
};

export const createTargetConcurrency = (): TargetConcurrency => {
  const taken = new Map<string, Taken>();
  const count = (test: (delivery: Taken) => boolean): number =>
    [...taken.values()].filter(test).length;
  return {
    total: TOTAL,
    pick: (due) => {
      let free = TOTAL - taken.size;
      const freeOnHost = new Map<string, number>();
      return due.flatMap(({ webhookId, targetUrl }) => {
        const host = hostOf(targetUrl);
        const onHost =
          freeOnHost.get(host) ?? PER_HOST - count((other) => hostOf(other.targetUrl) === host);
        const onWebhook = PER_WEBHOOK - count((other) => other.webhookId === webhookId);
        const limit = Math.max(0, Math.min(free, onHost, onWebhook));
        free -= limit;
        freeOnHost.set(host, onHost - limit);
        return limit === 0 ? [] : [{ webhookId, limit }];
      });
    },
    take: (delivery) => taken.set(delivery.id, delivery),
    release: (delivery) => taken.delete(delivery.id),
    held: () => [...taken.keys()],
  };
};

/** With its port: another port is another server. */
const hostOf = (targetUrl: string): string =>
  URL.canParse(targetUrl) ? new URL(targetUrl).host : targetUrl;
