// What became of each try of a delivery, kept for 30 days, and what it means for the delivery and its
// webhook: all of it in one transaction.

import { sql } from 'kysely';
import { createId } from '../../../base/ids.ts';
import { ATTEMPTS_KEPT_MS } from '../../../base/limits.ts';
import { originOf } from '../../../content/paths/origin-of.ts';
import { db, type Queryable, type Transaction } from '../db.ts';

/** Longer than any wait between two tries of a delivery: meanwhile nothing was tried, or the clock jumped. */
const UNTRIED_MS = 30 * 3_600_000;

export type Attempt = {
  readonly startedAt: number;
  readonly durationMs: number;
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** A code such as ETIMEDOUT; null when the delivery succeeded. */
  readonly error: string | null;
  /** Why, in a sentence, where the code does not say it. */
  readonly reason: string | null;
  /** The first bytes of the answer's body, as text. */
  readonly response: string | null;
};

export type AttemptOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly dueAt: number; readonly waitMs: number }
  | { readonly kind: 'failed' };

export type AttemptRecord = {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly owner: string;
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome;
  /** Why the webhook is to be disabled now, given how long it has been failing; null to keep it. */
  readonly disableReason: (failingMs: number) => string | null;
};

/**
 * Records one try. Every try is kept; one whose lease another owner has taken decides nothing unless it
 * succeeded. Returns why the webhook was disabled by it, or null.
 */
export const recordAttempt = async (
  tx: Transaction,
  { deliveryId, webhookId, owner, attempt, outcome, disableReason }: AttemptRecord,
): Promise<string | null> => {
  const finishedAt = attempt.startedAt + attempt.durationMs;
  const updated = await sql`UPDATE deliveries SET attempts = attempts + 1,
      state = ${outcome.kind === 'retry' ? 'pending' : outcome.kind},
      due_at = ${outcome.kind === 'retry' ? outcome.dueAt : finishedAt},
      wait_ms = ${outcome.kind === 'retry' ? outcome.waitMs : 0},
      finished_at = ${outcome.kind === 'retry' ? null : finishedAt},
      lease_owner = NULL, lease_until = NULL
    WHERE id = ${deliveryId} AND (lease_owner = ${owner} OR ${outcome.kind === 'done' ? 1 : 0})`.execute(
    db(tx),
  );
  await sql`INSERT INTO attempts
      (id, delivery_id, number, started_at, duration_ms, status, error, reason, response)
    SELECT ${createId(attempt.startedAt)}, d.id,
      (SELECT count(*) + 1 FROM attempts WHERE delivery_id = d.id), ${attempt.startedAt},
      ${attempt.durationMs}, ${attempt.status}, ${attempt.error},
      ${attempt.reason}, ${attempt.response}
    FROM deliveries d WHERE d.id = ${deliveryId}`.execute(db(tx));
  if ((updated.numAffectedRows ?? 0n) === 0n) return null;
  return updateWebhookAfter(tx, { webhookId, attempt, finishedAt, disableReason });
};

const updateWebhookAfter = async (
  tx: Transaction,
  {
    webhookId,
    attempt,
    finishedAt,
    disableReason,
  }: Pick<AttemptRecord, 'webhookId' | 'attempt' | 'disableReason'> & { finishedAt: number },
): Promise<string | null> => {
  const webhook = await db(tx)
    .selectFrom('webhooks')
    .select(['failing_since', 'last_triggered_at', 'status'])
    .where('id', '=', webhookId)
    .executeTakeFirst();
  if (webhook === undefined) return null;
  const isSuccess = attempt.error === null;
  const failingMs = isSuccess ? 0 : failedFor(webhook, finishedAt);
  const reason = isSuccess ? null : disableReason(failingMs);
  const isDisabling = reason !== null && webhook.status === 'enabled';
  await db(tx)
    .updateTable('webhooks')
    .set({
      last_triggered_at: finishedAt,
      last_triggered_status: attempt.status === null ? null : String(attempt.status),
      last_triggered_error: isSuccess ? null : `Request failed: ${attempt.reason ?? attempt.error}`,
      failing_since: isSuccess ? null : finishedAt - failingMs,
      ...(isDisabling && { status: 'disabled', disabled_reason: reason, owner_told_at: null }),
    })
    .where('id', '=', webhookId)
    .execute();
  return isDisabling ? reason : null;
};

/** Milliseconds of failing, of which a clock that jumped makes neither more nor less. */
const failedFor = (
  { failing_since: since, last_triggered_at: last }: FailingWebhook,
  now: number,
): number => {
  if (since === null || last === null) return 0;
  const passed = now - last;
  return Math.max(0, last - since) + (passed > 0 && passed < UNTRIED_MS ? passed : 0);
};

type FailingWebhook = {
  readonly failing_since: number | null;
  readonly last_triggered_at: number | null;
};

export type ListedDelivery = {
  readonly id: string;
  readonly webhookId: string;
  /** Origin of the target: the rest of it may hold a secret. */
  readonly address: string;
  /** False: nothing is sent to it until it is enabled. */
  readonly isEnabled: boolean;
  readonly event: string;
  readonly generation: number;
  readonly recordId: string;
  readonly state: 'pending' | 'done' | 'failed';
  readonly dueAt: number;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly attempts: readonly (Attempt & { readonly number: number })[];
};

type DeliveryFilter = {
  /** Only those whose newest attempt failed. */
  readonly failed?: boolean;
  readonly webhookId?: string;
  /** Only those of webhooks of this key. */
  readonly integrationId?: string;
  readonly limit: number;
};

type ListedRow = Omit<ListedDelivery, 'attempts' | 'isEnabled' | 'address'> & {
  readonly status: string;
  readonly targetUrl: string;
};

/** The newest deliveries first, each with its attempts; without payloads and secrets. */
export const listDeliveries = async (
  from: Queryable,
  { failed = false, webhookId, integrationId, limit }: DeliveryFilter,
): Promise<ListedDelivery[]> => {
  const { rows } = await sql<ListedRow>`
    SELECT d.id, d.webhook_id AS webhookId, w.target_url AS targetUrl, w.status, e.event, e.generation, e.record_id AS recordId, d.state,
      d.due_at AS dueAt, d.created_at AS createdAt, d.finished_at AS finishedAt
    FROM deliveries d JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
    WHERE (${webhookId ?? null} IS NULL OR d.webhook_id = ${webhookId ?? null})
      AND (${integrationId ?? null} IS NULL OR d.webhook_id IN
        (SELECT id FROM webhooks WHERE integration_id = ${integrationId ?? null}))
      AND (${failed ? 0 : 1} OR d.state = 'failed' OR (d.state = 'pending' AND d.attempts > 0))
    ORDER BY d.rowid DESC LIMIT ${limit}`.execute(db(from));
  const attempts = await db(from)
    .selectFrom('attempts')
    .selectAll()
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('number')
    .execute();
  return rows.map(({ status, targetUrl, ...row }) => ({
    ...row,
    address: originOf(targetUrl),
    isEnabled: status === 'enabled',
    attempts: attempts
      .filter(({ delivery_id }) => delivery_id === row.id)
      .map(({ number, started_at, duration_ms, status, error, reason, response }) => ({
        number,
        startedAt: started_at,
        durationMs: duration_ms,
        status,
        error,
        reason,
        response,
      })),
  }));
};

/** Forgets attempts, and finished deliveries and their events, older than ATTEMPTS_KEPT_MS. */
export const purgeDeliveries = async (tx: Transaction, now: number): Promise<void> => {
  const limit = now - ATTEMPTS_KEPT_MS;
  await db(tx).deleteFrom('attempts').where('started_at', '<', limit).execute();
  await sql`DELETE FROM deliveries WHERE created_at < ${limit} AND (finished_at < ${limit}
    OR (finished_at IS NULL AND webhook_id IN (SELECT id FROM webhooks WHERE status = 'disabled')))`.execute(
    db(tx),
  );
  await sql`DELETE FROM events WHERE created_at < ${limit}
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = events.id)`.execute(db(tx));
};

/** Deliveries by state: what waits, what is done, what was given up. */
export const countDeliveries = async (from: Queryable): Promise<Record<string, number>> => {
  const rows = await db(from)
    .selectFrom('deliveries')
    .select(['state', (expression) => expression.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return {
    pending: 0,
    done: 0,
    failed: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
};
