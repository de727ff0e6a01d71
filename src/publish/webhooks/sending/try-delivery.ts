// Tries one claimed delivery and writes down what came of it: done, due again, or failed for good, and
// whether its webhook is to be disabled.
import type { Clock } from '../../../base/clock.ts';
import { originOf } from '../../../content/paths/origin-of.ts';
import type { SecretBox } from '../../../publication/store/access/secrets.ts';
import type { AttemptOutcome } from '../../../publication/store/webhooks/attempts.ts';
import type { ClaimedDelivery } from '../../../publication/store/webhooks/deliveries.ts';
import { openRequest } from '../../../publication/store/webhooks/webhook-requests.ts';
import { TEST_EVENT } from '../events/event-names.ts';
import { type AttemptResult, ENDED, type Sender, sendAttempt, TARGET_REFUSED } from './attempt.ts';
import { fillBody, keepAnswer, type TemplateSite } from './own-request.ts';
import { planRetry, reasonToDisable } from './retry.ts';
import type { Settle } from './settle.ts';

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

/** A delivery to an address that may not be reached; of the address the origin alone, as the rest may hold a secret. */
export type RefusedDelivery = {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly address: string;
  readonly reason: string | null;
  /** ISO 8601; null: it is not tried again. */
  readonly nextTryAt: string | null;
};

type TryOptions = {
  readonly settle: Settle;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly site: () => Promise<TemplateSite>;
  /** The name under which the delivery was claimed. */
  readonly owner: string;
  /** 0 to 1; for jitter. */
  readonly random: () => number;
  readonly onTried?: ((attempt: TriedDelivery) => void) | undefined;
  readonly onDisabled?: ((webhook: DisabledWebhook) => void) | undefined;
  readonly onFailed?: ((delivery: FailedDelivery) => void) | undefined;
  readonly onRefused?: ((delivery: RefusedDelivery) => void) | undefined;
};

/** True when the delivery succeeded. */
export const tryDelivery = async (
  delivery: ClaimedDelivery,
  options: TryOptions,
): Promise<boolean> => {
  const { settle, owner } = options;
  const { id, webhookId, targetUrl, event } = delivery;
  const result = await attemptOf(delivery, options);
  // Says nothing of the receiver: the delivery is due as before, once its lease is freed.
  if (result.error === ENDED) return false;
  const { retryAfter: _retryAfter, ...attempt } = result;
  const outcome = outcomeOf(delivery, result, options);
  const nextTryAt = outcome.kind === 'retry' ? new Date(outcome.dueAt).toISOString() : null;
  const disableReason = (failingMs: number) => reasonToDisable(result.status, failingMs);
  const record = { deliveryId: id, webhookId, owner, attempt, outcome, disableReason };
  const reason = await settle(record);
  options.onTried?.({ isSuccess: result.error === null, durationMs: result.durationMs });
  if (reason !== null) options.onDisabled?.({ webhookId, targetUrl, reason });
  if (result.error === TARGET_REFUSED) {
    const address = originOf(targetUrl);
    const { reason: why } = result;
    options.onRefused?.({ deliveryId: id, webhookId, event, address, reason: why, nextTryAt });
  }
  if (outcome.kind === 'failed') {
    const attempts = delivery.attempts + 1;
    options.onFailed?.({ deliveryId: id, webhookId, event, attempts, error: result.error });
  }
  return result.error === null;
};

/** Sends the event's text, or what the webhook's template makes of it. */
const attemptOf = async (
  delivery: ClaimedDelivery,
  { secretBox, clock, sender, site }: TryOptions,
): Promise<AttemptResult> => {
  const { id, targetUrl, payload, requestSealed } = delivery;
  if (payload === null) return unsendable(clock.now(), BODY_GONE);
  const secrets = liveSecrets(delivery, secretBox, clock.now());
  const own = openRequest(secretBox, requestSealed);
  const { headers, body: template } = own;
  const body =
    template === null ? payload : fillBody({ payload, template, id, site: await site() });
  if (body === null) return unsendable(clock.now(), BODY_TOO_LONG);
  const result = await sendAttempt({ id, headers, body, targetUrl, secrets }, sender);
  return { ...result, response: keepAnswer(result.response, own) };
};

const BODY_GONE = 'BODY_GONE';
const BODY_TOO_LONG = 'BODY_TOO_LONG';

const unsendable = (startedAt: number, error: string): AttemptResult => ({
  startedAt,
  durationMs: 0,
  status: null,
  error,
  reason: null,
  response: null,
  retryAfter: null,
});

const outcomeOf = (
  delivery: ClaimedDelivery,
  { error, retryAfter }: AttemptResult,
  { clock, random }: TryOptions,
): AttemptOutcome => {
  if (error === null) return { kind: 'done' };
  const isUnsendable = error === BODY_GONE || error === BODY_TOO_LONG;
  if (delivery.event === TEST_EVENT || isUnsendable) return { kind: 'failed' };
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
