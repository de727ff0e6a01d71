// A publication with webhooks and a deliverer whose clock the test sets.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createId } from '../../src/base/ids.ts';
import { openSecretBox, type SecretBox } from '../../src/publication/store/access/secrets.ts';
import { unpackPayload } from '../../src/publication/store/webhooks/event-bodies.ts';
import { type PackedEvent, queueEvents } from '../../src/publication/store/webhooks/outbox.ts';
import {
  insertWebhook,
  type StoredRequest,
  type WebhookRow,
} from '../../src/publication/store/webhooks/webhooks.ts';
import {
  createDeliverer,
  type DelivererOptions,
} from '../../src/publish/webhooks/sending/deliverer.ts';
import { createPublication, type Publication } from './publication.ts';

export type TestClock = { readonly now: () => number; readonly move: (ms: number) => void };

const createClock = (start = Date.parse('2026-03-01T12:00:00Z')): TestClock => {
  let time = start;
  return {
    now: () => time,
    move: (ms) => {
      time += ms;
    },
  };
};

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export type Outbox = Publication & {
  readonly clock: TestClock;
  readonly box: SecretBox;
  readonly subscribe: (
    targetUrl: string,
    event?: string,
    options?: { readonly secret?: string; readonly request?: StoredRequest },
  ) => Promise<WebhookRow>;
  readonly queue: (count: number, event?: string) => Promise<number>;
  readonly deliverer: (options?: Partial<DelivererOptions>) => ReturnType<typeof createDeliverer>;
  /** Rows of deliveries in the order of their making. */
  readonly deliveries: () => Record<string, unknown>[];
};

export const createOutbox = async (): Promise<Outbox> => {
  const publication = await createPublication();
  const clock = createClock();
  const { store, shell, folder } = publication;
  const box = openSecretBox(join(folder, 'secret.key'));
  let made = 0;
  return {
    ...publication,
    clock,
    box,
    subscribe: (targetUrl, event = 'post.published', { secret = SECRET, ...options } = {}) => {
      const webhook = { event, targetUrl, secretSealed: box.seal(secret), ...options };
      return store.write((tx) => insertWebhook(tx, webhook, clock.now()));
    },
    queue: (count, event = 'post.published') => {
      const events = Array.from({ length: count }, (): PackedEvent => {
        made += 1;
        return plannedEvent(event, made);
      });
      return store.write((tx) => queueEvents(tx, events, { now: clock.now() }));
    },
    deliverer: (options = {}) => {
      const deliverer = createDeliverer({
        store,
        secretBox: box,
        clock,
        site: async () => ({ title: 'The site', url: 'https://site.example' }),
        webhookAllow: ['127.0.0.0/8', '::1'],
        random: () => 0,
        timeoutMs: 60_000,
        onError: (error) => {
          throw error;
        },
        ...options,
      });
      onTestFinished(() => deliverer.close());
      return deliverer;
    },
    deliveries: () =>
      shell.prepare('SELECT * FROM deliveries ORDER BY rowid').all() as Record<string, unknown>[],
  };
};

export const plannedEvent = (event: string, number: number): PackedEvent => ({
  id: createId(),
  generation: 1,
  action: 'save',
  event,
  recordId: `${number}`.padStart(24, '0'),
  ordinal: 0,
  payload: JSON.stringify({ event, number }),
  waitsForBuild: true,
});

/** What the queued events of a name say, in the order of their making. */
export const payloadsOf = ({ shell }: Pick<Publication, 'shell'>, event: string): string[] =>
  (
    shell
      .prepare(
        `SELECT e.payload, b.body FROM events e LEFT JOIN event_bodies b ON b.id = e.body_id
         WHERE e.event = ? ORDER BY e.rowid`,
      )
      .all(event) as { payload: string; body: Buffer | null }[]
  ).map(({ payload, body }) => unpackPayload(payload, body) ?? '');
