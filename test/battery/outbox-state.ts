// What a publication's outbox holds, read through a connection of the test's own while a server works.
import { expect } from 'vitest';
import type { SqliteConnection } from '../../src/base/sqlite/driver.ts';
import { eventually } from '../helpers/eventually.ts';

export type QueuedDelivery = {
  readonly id: string;
  readonly webhook: string;
  readonly event: string;
  readonly record: string;
  readonly generation: number;
  readonly action: string;
  readonly ordinal: number;
  readonly state: string;
};

/** Deliveries in the order in which they were queued, after the first `skip`. */
export const queuedDeliveries = (shell: SqliteConnection, skip = 0): QueuedDelivery[] =>
  shell
    .prepare(
      `SELECT d.id, d.webhook_id AS webhook, e.event, e.record_id AS record, e.generation, e.action,
         e.ordinal, d.state
       FROM deliveries d JOIN events e ON e.id = d.event_id ORDER BY d.rowid LIMIT -1 OFFSET ?`,
    )
    .all(skip) as QueuedDelivery[];

const isAnnounced = (shell: SqliteConnection): boolean =>
  shell
    .prepare(
      `SELECT (SELECT max(seq) FROM changes) = (SELECT seq FROM published_position)
         AND NOT EXISTS (SELECT 1 FROM builds WHERE state = 'requested')`,
    )
    .pluck()
    .get() === 1;

const isDelivered = (shell: SqliteConnection): boolean =>
  shell.prepare("SELECT 1 FROM deliveries WHERE state = 'pending' LIMIT 1").get() === undefined;

/** Waits until every change is announced. */
export const untilAnnounced = (shell: SqliteConnection): Promise<void> =>
  eventually(() => expect(isAnnounced(shell), 'announced').toBe(true));

/** Waits until every change is announced and every delivery done or given up. */
export const untilDelivered = (shell: SqliteConnection): Promise<void> =>
  eventually(() => expect(isAnnounced(shell) && isDelivered(shell), 'delivered').toBe(true));
