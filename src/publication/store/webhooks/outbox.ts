// The outbox: events, their deliveries to webhooks, and who holds which delivery. Rows are written in the
// transaction that moves the published position, exactly once for each (generation, action, event,
// record, ordinal) and webhook; they are claimed with a lease, so that no two programs try one at a time.
import { sql } from 'kysely';
import { addTo } from '../../../base/group-by.ts';
import { createId } from '../../../base/ids.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { BODY_MARK, type PackedBody, packBody, storeBody } from './event-bodies.ts';

export type PlannedEvent = {
  readonly id: string;
  readonly generation: number;
  /** Id of the admin save, or made from the place in the log; empty for events of the site. */
  readonly action: string;
  readonly event: string;
  readonly recordId: string;
  /** Counts events of the same name for the same record in one action. */
  readonly ordinal: number;
  /** The exact text that is sent. */
  readonly payload: string;
  /** The part of it that says what the record is and was; other events may share it. */
  readonly body?: string;
  /** False for events of the admin side (draft saved, member edited): they may be queued at once. */
  readonly waitsForBuild: boolean;
};

/** With the body apart, and compressed. */
export type PackedEvent = Omit<PlannedEvent, 'body'> & { readonly body?: PackedBody };

/** Call it before the transaction that queues the events: compressing takes time. */
export const packEvents = (events: readonly PlannedEvent[]): Promise<PackedEvent[]> => {
  const packed = new Map<string, Promise<PackedBody>>();
  const packOnce = (body: string): Promise<PackedBody> => {
    const known = packed.get(body) ?? packBody(body);
    packed.set(body, known);
    return known;
  };
  return Promise.all(
    events.map(async ({ body, ...event }) => {
      if (body === undefined) return event;
      const payload = event.payload.replace(body, BODY_MARK);
      return { ...event, payload, body: await packOnce(body) };
    }),
  );
};

type QueueOptions = {
  readonly now: number;
  /** Holds deliveries of events that wait for the build until `openGate`, at most until this time. */
  readonly heldUntil?: number;
};

/** How many rows one INSERT carries at most. */
const CHUNK = 500;

/**
 * Stores events that a webhook subscribes to, with one delivery for each such webhook. An event that
 * is stored already (its unique key) is left as it is. Returns the number of deliveries made. Call it
 * in the transaction that moves the published position; events that wait for no build may come earlier.
 */
export const queueEvents = async (
  tx: Transaction,
  events: readonly PackedEvent[],
  { now, heldUntil }: QueueOptions,
): Promise<number> => {
  const webhooks = await subscribers(tx);
  let queued = 0;
  for (const event of events) {
    const targets = webhooks.get(event.event) ?? [];
    if (targets.length === 0 || !(await insertEvent(tx, event, now))) continue;
    const held = event.waitsForBuild && heldUntil !== undefined ? heldUntil : null;
    for (let start = 0; start < targets.length; start += CHUNK) {
      const rows = targets.slice(start, start + CHUNK).map((webhookId) => ({
        id: createId(now),
        event_id: event.id,
        webhook_id: webhookId,
        due_at: now,
        held_until: held,
        created_at: now,
      }));
      await db(tx).insertInto('deliveries').values(rows).execute();
      queued += rows.length;
    }
  }
  return queued;
};

/** Names that some enabled webhook subscribes to. */
export const subscribedEvents = async (from: Queryable): Promise<ReadonlySet<string>> =>
  new Set((await subscribers(from)).keys());

/** Lets go of a generation's held deliveries: its content can be read. */
export const openGate = async (tx: Transaction, generation: number): Promise<void> => {
  await db(tx)
    .updateTable('deliveries')
    .set({ held_until: null })
    .where('held_until', 'is not', null)
    .where('event_id', 'in', (query) =>
      query.selectFrom('events').select('id').where('generation', '=', generation),
    )
    .execute();
};

/** Holds of pending deliveries that would end before then end then. */
export const renewHolds = async (tx: Transaction, until: number): Promise<void> => {
  await db(tx)
    .updateTable('deliveries')
    .set({ held_until: until })
    .where('state', '=', 'pending')
    .where('held_until', '<', until)
    .execute();
};

export type HeldGeneration = { readonly generation: number; readonly heldUntil: number };

/** Generations with held deliveries: after a restart the waiting for them begins again. */
export const heldGenerations = async (from: Queryable): Promise<HeldGeneration[]> => {
  const { rows } = await sql<HeldGeneration>`
    SELECT e.generation, max(d.held_until) AS heldUntil
    FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.state = 'pending' AND d.held_until IS NOT NULL
    GROUP BY e.generation ORDER BY e.generation`.execute(db(from));
  return rows;
};

export type QueuedStep = { readonly action: string; readonly recordId: string };

/**
 * Events that wait for no build may have been queued while the build of `generation` ran, under the
 * generation before it.
 */
const sameOrBefore = (generation: number) =>
  sql`(${generation}, (SELECT max(generation) FROM events WHERE generation < ${generation}))`;

/** Steps of unlabelled rows that end after the position, and whose events are queued: they waited for no build. */
export const findQueuedSteps = async (
  from: Queryable,
  { generation, seq }: { readonly generation: number; readonly seq: number },
): Promise<QueuedStep[]> => {
  const { rows } = await sql<QueuedStep>`SELECT DISTINCT action, record_id AS recordId FROM events
    WHERE generation IN ${sameOrBefore(generation)} AND action GLOB 'log-*'
      AND CAST(substr(action, 5 + instr(substr(action, 5), '-')) AS INTEGER) > ${seq}`.execute(
    db(from),
  );
  return rows;
};

const subscribers = async (from: Queryable): Promise<Map<string, string[]>> => {
  const rows = await db(from)
    .selectFrom('webhooks')
    .select(['id', 'event'])
    .where('status', '=', 'enabled')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const byEvent = new Map<string, string[]>();
  for (const { id, event } of rows) addTo(byEvent, event, id);
  return byEvent;
};

/** True when the event was not stored before. */
const insertEvent = async (tx: Transaction, event: PackedEvent, now: number): Promise<boolean> => {
  const bodyId = event.body === undefined ? null : await storeBody(tx, event.body);
  const result = await sql`INSERT OR IGNORE INTO events
    (id, generation, action, event, record_id, ordinal, payload, body_id, created_at)
    SELECT ${event.id}, ${event.generation}, ${event.action}, ${event.event}, ${event.recordId},
      ${event.ordinal}, ${event.payload}, ${bodyId}, ${now}
    WHERE ${event.waitsForBuild ? 1 : 0} OR NOT EXISTS (SELECT 1 FROM events
      WHERE generation IN ${sameOrBefore(event.generation)} AND action = ${event.action}
        AND event = ${event.event} AND record_id = ${event.recordId}
        AND ordinal = ${event.ordinal})`.execute(db(tx));
  return (result.numAffectedRows ?? 0n) > 0n;
};
