// Tries the deliveries that are due: 16 at once, 2 to one webhook, 4 to one host, so that one bad receiver
// holds up no other. The outbox is the truth and is asked at least once a second; a wake-up only makes it
// sooner. Rows exist only once their content is in place, so nothing here looks at builds.
import PQueue from 'p-queue';
import type { Clock } from '../base/clock.ts';
import { recordAttempt } from '../store/attempts.ts';
import {
  type ClaimedDelivery,
  claimDue,
  findDueWebhooks,
  hasDueTimesTooFar,
  pullBackDueTimes,
} from '../store/deliveries.ts';
import type { SecretBox } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { parseAllowList } from './addresses.ts';
import { type AttemptResult, sendAttempt } from './attempt.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createLeaseOwner } from './lease-owner.ts';
import { planRetry, reasonToDisable } from './retry.ts';
import { createSlots } from './slots.ts';
import { type Resolver, systemResolver } from './vet-target.ts';

const POLL_MS = 1_000;

export type DisabledWebhook = {
  readonly webhookId: string;
  readonly targetUrl: string;
  readonly reason: string;
};

export type DelivererOptions = {
  readonly store: Store;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Setting webhookAllow: CIDR ranges, addresses or host names that may be private. */
  readonly webhookAllow: readonly string[];
  /** Told once when a webhook is disabled: the place to mail `ownerEmail`. */
  readonly onDisabled?: (webhook: DisabledWebhook) => void;
  /** Told of faults of our own, such as a locked database; the deliverer goes on. */
  readonly onError?: (error: unknown) => void;
  readonly resolve?: Resolver;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
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
  /** Takes nothing more and waits for the attempts that run. */
  readonly close: () => Promise<void>;
};

export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { store, clock, onError = () => {} } = options;
  const owner = createLeaseOwner();
  const slots = createSlots();
  const queue = new PQueue({ concurrency: slots.total });
  const keeper = createHousekeeping({ store, clock });
  const sender = {
    allow: parseAllowList(options.webhookAllow),
    resolve: options.resolve ?? systemResolver,
    now: clock.now,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let filling: Promise<void> | undefined;
  let isAskedAgain = false;

  const tryOne = async (delivery: ClaimedDelivery): Promise<boolean> => {
    try {
      const secrets = liveSecrets(delivery, options.secretBox, clock.now());
      const post = {
        id: delivery.id,
        body: delivery.payload,
        targetUrl: delivery.targetUrl,
        secrets,
      };
      const result = await sendAttempt(post, sender);
      await conclude(delivery, result);
      return result.error === null;
    } finally {
      slots.release(delivery);
    }
  };

  const conclude = async (delivery: ClaimedDelivery, result: AttemptResult): Promise<void> => {
    const { retryAfter, ...attempt } = result;
    const now = clock.now();
    const random = (options.random ?? Math.random)();
    const attempts = delivery.attempts + 1;
    const waitMs = planRetry({ attempts, retryAfter, now, random });
    const outcome =
      result.error === null
        ? ({ kind: 'done' } as const)
        : waitMs === null
          ? ({ kind: 'failed' } as const)
          : ({ kind: 'retry', dueAt: now + waitMs, waitMs } as const);
    const { id: deliveryId, webhookId, targetUrl } = delivery;
    const disableReason = (failingMs: number) => reasonToDisable(result.status, failingMs);
    const reason = await store.write((writer) =>
      recordAttempt(writer, { deliveryId, webhookId, owner, attempt, outcome, disableReason }),
    );
    if (reason !== null) options.onDisabled?.({ webhookId, targetUrl, reason });
  };

  /** Claims what fits into the free slots; `tried` are ids to leave alone. */
  const claim = async (tried: readonly string[] = []): Promise<ClaimedDelivery[]> => {
    const now = clock.now();
    if (await hasDueTimesTooFar(store.reader, now)) {
      await store.write((writer) => pullBackDueTimes(writer, now));
    }
    const picks = slots.pick(await findDueWebhooks(store.reader, now));
    if (picks.length === 0) return [];
    const except = [...slots.held(), ...tried];
    const claimed = await store.write((writer) => claimDue(writer, { owner, now, picks, except }));
    for (const delivery of claimed) slots.take(delivery);
    return claimed;
  };

  const fill = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      if (isClosed) return;
      for (const delivery of await claim()) {
        queue.add(() => tryOne(delivery)).then(wake, onError);
      }
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
      await keeper.releaseDead();
      timer = setInterval(() => {
        wake();
        keeper.purgeWhenDue().catch(onError);
      }, options.pollMs ?? POLL_MS);
      wake();
    },
    drainOnce: async () => {
      await keeper.releaseDead();
      const tried: string[] = [];
      const results: boolean[] = [];
      for (;;) {
        const claimed = await claim(tried);
        if (claimed.length === 0) break;
        tried.push(...claimed.map(({ id }) => id));
        results.push(
          ...(await Promise.all(claimed.map((delivery) => queue.add(() => tryOne(delivery))))),
        );
      }
      const succeeded = results.filter(Boolean).length;
      return { tried: results.length, succeeded, failed: results.length - succeeded };
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await filling;
      await queue.onIdle();
    },
  };
};

const liveSecrets = (delivery: ClaimedDelivery, box: SecretBox, now: number): string[] => {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = delivery;
  const isRotating = previousSecretSealed !== null && (previousSecretUntil ?? 0) > now;
  return [secretSealed, ...(isRotating ? [previousSecretSealed] : [])].map(box.open);
};
