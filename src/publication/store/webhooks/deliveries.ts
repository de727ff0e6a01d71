// Deliveries while they are tried: claimed with a lease, given back with an attempt, listed, sent again,
// and forgotten after 30 days. A delivery is tried again until it is done or has failed for good; a
// webhook that is disabled keeps its pending deliveries for the day it is enabled again, and gets only
// what was made for it alone: a test.
import { sql } from 'kysely';
import type { Clock } from '../../../base/clock.ts';
import { createId } from '../../../base/ids.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import type { Claim, Store } from '../store.ts';
import { BODY_MARK, unpackPayload } from './event-bodies.ts';

/** Longer than the total timeout of an attempt, so that a slow receiver is not called twice. */
export const LEASE_MS = 30_000;
/** Longest time for which deliveries of a generation may be held: a day for deploys, and the reading back. */
export const GATE_MS_MAX = (24 * 60 + 10) * 60_000;

/**
 * A time may have been read this long before it is compared: another program's write waits up to five
 * seconds for its lock. Only what lies further ahead than that says that the clock went back.
 */
const CLOCK_SLACK_MS = 10_000;

export type DueWebhook = { readonly webhookId: string; readonly targetUrl: string };

export type ClaimedDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  /** Attempts since it was queued or asked for again. */
  readonly attempts: number;
  /** The text to send; null when it is no longer kept. */
  readonly payload: string | null;
  readonly targetUrl: string;
  readonly secretSealed: Buffer;
  readonly previousSecretSealed: Buffer | null;
  readonly previousSecretUntil: number | null;
  /** Sealed JSON of headers and body template, or null. */
  readonly requestSealed: Buffer | null;
};

/** A lease that reaches further than it may was taken before the clock went back: it is over. */
export const claimable = (
  now: number,
  leaseNow = now,
) => sql<boolean>`d.state = 'pending' AND d.due_at <= ${now}
  AND (d.held_until IS NULL OR d.held_until <= ${now})
  AND (d.lease_until IS NULL OR d.lease_until <= ${leaseNow} OR d.lease_until > ${leaseNow + LEASE_MS + CLOCK_SLACK_MS})
  AND (w.status = 'enabled' OR EXISTS
    (SELECT 1 FROM events e WHERE e.id = d.event_id AND e.record_id = d.webhook_id))`;

/** Webhooks with a delivery that may be tried now, the longest waiting first. */
export const findDueWebhooks = async (from: Queryable, now: number): Promise<DueWebhook[]> => {
  const { rows } = await sql<DueWebhook>`
    SELECT w.id AS webhookId, w.target_url AS targetUrl FROM webhooks w JOIN deliveries d
    ON d.webhook_id = w.id WHERE ${claimable(now)}
    GROUP BY w.id ORDER BY min(d.due_at)`.execute(db(from));
  return rows;
};

/** Takes due deliveries for `owner`, oldest first; each is its own until LEASE_MS from now. */
export const claimDue = (
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  claim: Claim,
): Promise<ClaimedDelivery[]> =>
  store.claim === null
    ? // A write may wait for its lock: the time that counts is read in the transaction.
      store.write(async (tx) => readClaimed(tx, await claimInFile(tx, claim, clock.now())))
    : store.claim(claim, clock.now()).then((ids) => readClaimed(store, ids));

const claimInFile = async (
  tx: Transaction,
  { owner, picks, except }: Claim,
  now: number,
): Promise<string[]> => {
  const claimed: string[] = [];
  for (const { webhookId, limit } of picks) {
    const { rows } = await sql<{ id: string }>`
      UPDATE deliveries SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}
      WHERE id IN (SELECT d.id FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
        WHERE d.webhook_id = ${webhookId} AND ${claimable(now)}
          AND d.id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))
        ORDER BY d.due_at, d.rowid LIMIT ${limit})
      RETURNING id`.execute(db(tx));
    claimed.push(...rows.map(({ id }) => id));
  }
  return claimed;
};

type Claimed = ClaimedDelivery & { readonly payload: string; readonly packed: Buffer | null };

const readClaimed = async (from: Queryable, ids: readonly string[]): Promise<ClaimedDelivery[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<Claimed>`
    SELECT d.id, d.webhook_id AS webhookId, e.event, d.attempts, e.payload, b.body AS packed,
      w.target_url AS targetUrl, w.secret_sealed AS secretSealed,
      w.previous_secret_sealed AS previousSecretSealed,
      w.previous_secret_until AS previousSecretUntil, w.request_sealed AS requestSealed
    FROM json_each(${JSON.stringify(ids)}) j JOIN deliveries d ON d.id = j.value
    JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
    LEFT JOIN event_bodies b ON b.id = e.body_id
    ORDER BY d.due_at, d.rowid`.execute(db(from));
  return rows.map(({ packed, ...row }) => ({
    ...row,
    payload: unpackPayload(row.payload, packed),
  }));
};

/** Further ahead than what set it allows: the clock went back since. */
const isTooFar = (now: number) => sql<boolean>`state = 'pending'
  AND (due_at > ${now + CLOCK_SLACK_MS} + wait_ms
    OR held_until > ${now + GATE_MS_MAX + CLOCK_SLACK_MS})`;

/** Pulls back due times that lie further ahead than the wait that set them, and holds likewise. */
export const pullBackTimes = async (tx: Transaction, now: number): Promise<void> => {
  await sql`UPDATE deliveries SET due_at = min(due_at, ${now} + wait_ms),
      held_until = CASE WHEN held_until > ${now + GATE_MS_MAX} THEN ${now + GATE_MS_MAX}
        ELSE held_until END
    WHERE ${isTooFar(now)}`.execute(db(tx));
};

export const hasTimesTooFar = async (from: Queryable, now: number): Promise<boolean> => {
  const { rows } = await sql`SELECT 1 FROM deliveries WHERE ${isTooFar(now)} LIMIT 1`.execute(
    db(from),
  );
  return rows.length > 0;
};

/** Owners that hold a lease, dead or alive. */
export const listLeaseOwners = async (from: Queryable): Promise<string[]> => {
  const rows = await db(from)
    .selectFrom('deliveries')
    .select('lease_owner')
    .distinct()
    .where('state', '=', 'pending')
    .where('lease_owner', 'is not', null)
    .execute();
  return rows.flatMap(({ lease_owner }) => lease_owner ?? []);
};

/** Frees the deliveries of owners that are known to be dead. */
export const releaseLeases = async (tx: Transaction, owners: readonly string[]): Promise<void> => {
  if (owners.length === 0) return;
  await db(tx)
    .updateTable('deliveries')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_owner', 'in', owners)
    .execute();
};

export type DeliveryState = 'pending' | 'done' | 'failed';

/** Throws when there is no such delivery. */
export const findState = async (from: Queryable, id: string): Promise<DeliveryState> => {
  const query = db(from).selectFrom('deliveries').select('state').where('id', '=', id);
  return (await query.$castTo<{ state: DeliveryState }>().executeTakeFirstOrThrow()).state;
};

export const findWebhookOf = async (from: Queryable, id: string): Promise<string | undefined> => {
  const query = db(from).selectFrom('deliveries').select('webhook_id').where('id', '=', id);
  return (await query.executeTakeFirst())?.webhook_id;
};

/** Makes one delivery due at once, whatever became of it; false when there is none, or its body is not kept. */
export const redeliver = async (tx: Transaction, id: string, now: number): Promise<boolean> => {
  const result = await requeue(tx, now).where('id', '=', id).executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Makes every delivery due at once that did not arrive and of which a try failed since then; their number. */
export const redeliverFailed = async (
  tx: Transaction,
  since: number,
  now: number,
): Promise<number> => {
  const result = await requeue(tx, now)
    .where('state', 'in', ['pending', 'failed'])
    .where('id', 'in', (query) =>
      query
        .selectFrom('attempts')
        .select('delivery_id')
        .where('error', 'is not', null)
        .where('started_at', '>=', since),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
};

const requeue = (tx: Transaction, now: number) =>
  db(tx)
    .updateTable('deliveries')
    .set({
      state: 'pending',
      attempts: 0,
      due_at: now,
      wait_ms: 0,
      finished_at: null,
      // The attempt that runs decides nothing any more, unless it succeeds.
      lease_owner: null,
      lease_until: null,
    })
    .where(HAS_TEXT);

const HAS_TEXT = sql<boolean>`EXISTS (SELECT 1 FROM events e WHERE e.id = deliveries.event_id
  AND (e.body_id IS NOT NULL OR instr(e.payload, ${BODY_MARK}) = 0))`;

/**
 * Stores an event about one webhook, such as a test, for that webhook only; it is sent to a disabled one
 * too. Returns the delivery's id.
 */
export const queueSingle = async (
  tx: Transaction,
  { webhookId, event, payload }: { webhookId: string; event: string; payload: string },
  now: number,
): Promise<string> => {
  const [eventId, id] = [createId(now), createId(now)];
  await db(tx)
    .insertInto('events')
    .values({
      id: eventId,
      generation: 0,
      action: eventId,
      event,
      record_id: webhookId,
      ordinal: 0,
      payload,
      created_at: now,
    })
    .execute();
  await db(tx)
    .insertInto('deliveries')
    .values({ id, event_id: eventId, webhook_id: webhookId, due_at: now, created_at: now })
    .execute();
  return id;
};
