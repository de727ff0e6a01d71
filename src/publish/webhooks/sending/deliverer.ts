// Tries the deliveries that are due: 16 at once, 2 to one webhook, 4 to one host, so that one bad receiver
// holds up no other. The outbox is the truth and is asked at least once a second; a wake-up only makes it
// sooner. Rows exist only once their content is in place, so nothing here looks at builds.
import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type { Clock } from '../../../base/clock.ts';
import { REDELIVERY_DAYS } from '../../../base/limits.ts';
import { parseAllowList } from '../../../base/net/addresses.ts';
import { type Resolver, systemResolver } from '../../../base/net/vet-target.ts';
import type { SecretBox } from '../../../publication/store/access/secrets.ts';
import type { Store } from '../../../publication/store/store.ts';
import {
  type ClaimedDelivery,
  releaseLeases,
} from '../../../publication/store/webhooks/deliveries.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createDeliveryLeases, type DeliveryLeases } from './lease-deliveries.ts';
import { createLeaseOwner } from './lease-owner.ts';
import type { TemplateSite } from './own-request.ts';
import { createSettle } from './settle.ts';
import {
  type DisabledWebhook,
  type FailedDelivery,
  type RefusedDelivery,
  type TriedDelivery,
  tryDelivery,
} from './try-delivery.ts';

const POLL_MS = 1_000;
/** Service managers kill a program that takes long to end, often after 10 s. */
const CLOSING_MS = 2_000;

export type DelivererOptions = {
  readonly store: Store;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Setting webhookAllow: CIDR ranges, addresses or host names that may be private. */
  readonly webhookAllow: readonly string[];
  readonly site: () => Promise<TemplateSite>;
  /** Setting: days for which a delivery that arrived can be sent again. */
  readonly redeliveryDays?: number;
  /** Told of each attempt that was written down. */
  readonly onTried?: (attempt: TriedDelivery) => void;
  /** Told once when a webhook is disabled: the place to mail `ownerEmail`. */
  readonly onDisabled?: (webhook: DisabledWebhook) => void;
  /** Told when a delivery is given up after its last attempt. */
  readonly onFailed?: (delivery: FailedDelivery) => void;
  /** Told of each attempt whose target may not be reached. */
  readonly onRefused?: (delivery: RefusedDelivery) => void;
  /** Told of faults of our own, such as a locked database; the deliverer goes on. */
  readonly onError?: (error: unknown) => void;
  readonly resolve?: Resolver;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
  /** How long attempts that run may go on after `close` is called. */
  readonly closingMs?: number;
  /** 0 to 1; for jitter. */
  readonly random?: () => number;
};

export type DrainReport = {
  readonly tried: number;
  readonly succeeded: number;
  readonly failed: number;
};

export type Deliverer = {
  /** A hint that something may be due. */
  readonly wake: () => void;
  /** Tries every delivery that is due once and waits for the answers; for the command line. */
  readonly drainOnce: () => Promise<DrainReport>;
  /** Frees what dead programs held, then polls until `close`. */
  readonly start: () => Promise<void>;
  /** Takes nothing more, and soon ends the attempts that run: they are due again at once. */
  readonly close: () => Promise<void>;
};

export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { store, clock, onError = () => {} } = options;
  const owner = createLeaseOwner();
  const claimer = createDeliveryLeases({ store, clock, owner });
  const queue = new PQueue({ concurrency: claimer.total });
  const { redeliveryDays = REDELIVERY_DAYS } = options;
  const keeper = createHousekeeping({ store, clock, redeliveryDays });
  const ending = new AbortController();
  setMaxListeners(claimer.total, ending.signal);
  const attempt = createAttempt(options, { owner, ending: ending.signal });
  const enqueue = (delivery: ClaimedDelivery): Promise<boolean> =>
    queue.add(() => attempt(delivery).finally(() => claimer.release(delivery)));

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let filling: Promise<void> | undefined;
  let isAskedAgain = false;

  const fill = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      if (isClosed) return;
      for (const delivery of await claimer.claim()) enqueue(delivery).then(wake, onError);
    } while (isAskedAgain);
  };

  const wake = (): void => {
    if (isClosed || timer === undefined) return;
    isAskedAgain = true;
    filling ??= fill()
      .catch(onError)
      .finally(() => {
        filling = undefined;
        if (isAskedAgain) wake();
      });
  };

  return {
    wake,
    start: async () => {
      await keeper.releaseDead({ as: 'server' });
      timer = setInterval(() => {
        wake();
        if (store.leads()) keeper.purgeWhenDue().catch(onError);
      }, options.pollMs ?? POLL_MS);
      wake();
    },
    drainOnce: async () => {
      await keeper.releaseDead({ as: 'command' });
      const report = await drain(claimer, enqueue);
      await keeper.purgeWhenDue().catch(onError);
      return report;
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await filling;
      const grace = setTimeout(() => ending.abort(), options.closingMs ?? CLOSING_MS);
      await queue.onIdle();
      clearTimeout(grace);
      if (ending.signal.aborted) {
        await store.write((tx) => releaseLeases(tx, [owner])).catch(onError);
      }
    },
  };
};

const createAttempt = (
  { webhookAllow, resolve, timeoutMs, random, ...options }: DelivererOptions,
  { owner, ending }: { readonly owner: string; readonly ending: AbortSignal },
): ((delivery: ClaimedDelivery) => Promise<boolean>) => {
  const sender = {
    allow: parseAllowList(webhookAllow),
    resolve: resolve ?? systemResolver,
    now: options.clock.now,
    ending,
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const settle = createSettle(options.store);
  const tryOptions = { ...options, settle, sender, owner, random: random ?? Math.random };
  return (delivery) => tryDelivery(delivery, tryOptions);
};

/** Tries each due delivery once, also those that become due again meanwhile. */
const drain = async (
  claimer: DeliveryLeases,
  enqueue: (delivery: ClaimedDelivery) => Promise<boolean>,
): Promise<DrainReport> => {
  const tried: string[] = [];
  const results: boolean[] = [];
  for (;;) {
    const claimed = await claimer.claim(tried);
    if (claimed.length === 0) break;
    tried.push(...claimed.map(({ id }) => id));
    results.push(...(await Promise.all(claimed.map(enqueue))));
  }
  const succeeded = results.filter(Boolean).length;
  return { tried: results.length, succeeded, failed: results.length - succeeded };
};
