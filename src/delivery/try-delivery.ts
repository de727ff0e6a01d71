// Tries one claimed delivery and writes down what came of it: done, due again, or failed for good, and
// whether its webhook is to be disabled.
import type { Clock } from '../base/clock.ts';
import { type AttemptOutcome, recordAttempt } from '../store/attempts.ts';
import type { ClaimedDelivery } from '../store/deliveries.ts';
import type { SecretBox } from '../store/secrets.ts';
import type { Store } from '../store/store.ts';
import { type AttemptResult, ENDED, type Sender, sendAttempt } from './attempt.ts';
import { TEST_EVENT } from './event-names.ts';
import { planRetry, reasonToDisable } from './retry.ts';

export type DisabledWebhook = {
  readonly webhookId: string;
  readonly targetUrl: string;
  readonly reason: string;
};

export type TriedDelivery = { readonly isSuccess: boolean; readonly durationMs: number };

/** A delivery that is not tried again; says nothing of the target or the payload. */
export type FailedDelivery = {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly attempts: number;
  readonly error: string | null;
};

type TryOptions = {
  readonly store: Store;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly sender: Sender;
  /** The name under which the delivery was claimed. */
  readonly owner: string;
  /** 0 to 1; for jitter. */
  readonly random: () => number;
  readonly onTried?: ((attempt: TriedDelivery) => void) | undefined;
  readonly onDisabled?: ((webhook: DisabledWebhook) => void) | undefined;
  readonly onFailed?: ((delivery: FailedDelivery) => void) | undefined;
};

/** True when the delivery succeeded. */
export const tryDelivery = async (
  delivery: ClaimedDelivery,
  options: TryOptions,
): Promise<boolean> => {
  const { store, secretBox, clock, sender, owner } = options;
  const { id, webhookId, targetUrl, payload, event } = delivery;
  const secrets = liveSecrets(delivery, secretBox, clock.now());
  const result =
    payload === null
      ? unsendable(clock.now())
      : await sendAttempt({ id, body: payload, targetUrl, secrets }, sender);
  // Says nothing of the receiver: the delivery is due as before, once its lease is freed.
  if (result.error === ENDED) return false;
  const { retryAfter: _retryAfter, ...attempt } = result;
  const outcome = outcomeOf(delivery, result, options);
  const disableReason = (failingMs: number) => reasonToDisable(result.status, failingMs);
  const reason = await store.write((writer) =>
    recordAttempt(writer, { deliveryId: id, webhookId, owner, attempt, outcome, disableReason }),
  );
  options.onTried?.({ isSuccess: result.error === null, durationMs: result.durationMs });
  if (reason !== null) options.onDisabled?.({ webhookId, targetUrl, reason });
  if (outcome.kind === 'failed') {
    const attempts = delivery.attempts + 1;
    options.onFailed?.({ deliveryId: id, webhookId, event, attempts, error: result.error });
  }
  return result.error === null;
};

const unsendable = (startedAt: number): AttemptResult => ({
  startedAt,
  durationMs: 0,
  status: null,
  error: 'BODY_GONE',
  response: null,
  retryAfter: null,
});

const outcomeOf = (
  delivery: ClaimedDelivery,
  { error, retryAfter }: AttemptResult,
  { clock, random }: TryOptions,
): AttemptOutcome => {
  if (error === null) return { kind: 'done' };
  if (delivery.event === TEST_EVENT || delivery.payload === null) return { kind: 'failed' };
  const now = clock.now();
  const attempts = delivery.attempts + 1;
  const waitMs = planRetry({ attempts, retryAfter, now, random: random() });
  return waitMs === null ? { kind: 'failed' } : { kind: 'retry', dueAt: now + waitMs, waitMs };
};

/** The newest first; the one before it while a rotation lasts. */
const liveSecrets = (delivery: ClaimedDelivery, box: SecretBox, now: number): string[] => {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = delivery;
  const isRotating = previousSecretSealed !== null && (previousSecretUntil ?? 0) > now;
  return [secretSealed, ...(isRotating ? [previousSecretSealed] : [])].map(box.open);
};
