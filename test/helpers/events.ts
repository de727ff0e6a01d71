// Runs statements against a publication, as a labelled admin save or through the shell, and plans the
// events of what they changed.

import { CompiledQuery } from 'kysely';
import type { AdminContext } from '../../src/publication/documents/admin/document-context.ts';
import type { Snapshot } from '../../src/publication/snapshot/snapshot.ts';
import { db } from '../../src/publication/store/db.ts';
import type { PlannedEvent, QueuedStep } from '../../src/publication/store/webhooks/outbox.ts';
import { draftEvents, formatEvents } from '../../src/publish/webhooks/events/plan-events.ts';
import { adminContext } from './admin-context.ts';
import type { Publication } from './publication.ts';

export type Statement = readonly [sql: string, ...parameters: unknown[]];
export type Writing = 'admin save' | 'plain SQL';
export const WRITINGS: readonly Writing[] = ['admin save', 'plain SQL'];

export const positionOf = ({ store }: Publication): number => {
  const snapshot = store.snapshot();
  const { seq } = snapshot.position();
  snapshot.close();
  return seq;
};

export const run = async (
  publication: Publication,
  statements: readonly Statement[],
  action: string | null,
): Promise<void> => {
  if (action === null) {
    publication.shell.pragma('foreign_keys = ON');
    for (const [sql, ...parameters] of statements) publication.shell.prepare(sql).run(parameters);
    return;
  }
  await publication.store.write(
    async (tx) => {
      for (const [sql, ...parameters] of statements) {
        await db(tx).executeQuery(CompiledQuery.raw(sql, parameters));
      }
    },
    { action },
  );
};

type PlanOptions = {
  readonly generation: number;
  /** Null when the log does not follow the position. */
  readonly after: number | null;
  readonly changedBytes: boolean;
  readonly context: AdminContext;
  readonly queued?: readonly QueuedStep[];
};

export const planEvents = async (
  snapshot: Snapshot,
  { after, context, queued = [], ...options }: PlanOptions,
): Promise<PlannedEvent[]> => {
  const drafts = after === null ? [] : await draftEvents(snapshot, { after, context, queued });
  return formatEvents(drafts, { ...options, now: context.now });
};

export const plan = async (
  { store }: Publication,
  after: number | null,
  { changedBytes = false, generation = 7 } = {},
): Promise<PlannedEvent[]> => {
  const snapshot = store.snapshot();
  try {
    const context = adminContext({ tiers: snapshot.rows('tiers', 'all') });
    return await planEvents(snapshot, { generation, after, changedBytes, context });
  } finally {
    snapshot.close();
  }
};

export const namesOf = (events: readonly PlannedEvent[]): string[] =>
  events.map(({ event }) => event);

export type Shown = {
  readonly current: Record<string, unknown>;
  readonly previous: Record<string, unknown>;
};

export const bodyOf = (events: readonly PlannedEvent[], name: string): Record<string, unknown> => {
  const event = events.find((candidate) => candidate.event === name);
  if (event === undefined) throw new Error(`no ${name} among ${namesOf(events).join(', ')}`);
  return JSON.parse(event.payload) as Record<string, unknown>;
};

export const shownOf = (events: readonly PlannedEvent[], name: string): Shown => {
  const body = bodyOf(events, name);
  const root = Object.keys(body).find((key) => typeof body[key] === 'object');
  return body[root ?? ''] as Shown;
};
