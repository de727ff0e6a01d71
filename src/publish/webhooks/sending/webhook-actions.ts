// What an administrator asks of one webhook beside editing it: a test delivery, and a new secret with the
// old one live for a day.
import { PrepressError } from '../../../base/errors.ts';
import type { SecretBox } from '../../../publication/store/access/secrets.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import {
  findWebhookOf,
  queueSingle,
  redeliver,
} from '../../../publication/store/webhooks/deliveries.ts';
import { createSecret } from '../../../publication/store/webhooks/webhook-secret.ts';
import {
  findWebhook,
  rotateSecret,
  type WebhookRow,
} from '../../../publication/store/webhooks/webhooks.ts';
import { TEST_EVENT } from '../events/event-names.ts';

const OVERLAP_MS = 24 * 3_600_000;

/**
 * Queues a `webhook.test` event for this webhook only, due at once and tried once; returns the delivery's
 * id. A disabled webhook gets it too, to see whether it can be enabled again, and stays disabled. Throws
 * NOT_FOUND.
 */
export const queueTest = async (tx: Transaction, id: string, now: number): Promise<string> => {
  const webhook = await getWebhook(tx, id);
  const payload = JSON.stringify({
    event: TEST_EVENT,
    webhook: { id: webhook.id, event: webhook.event, name: webhook.name },
  });
  return queueSingle(tx, { webhookId: webhook.id, event: TEST_EVENT, payload }, now);
};

/**
 * Makes one delivery due at once, whatever became of it. Throws NOT_FOUND, and VALIDATION when what it said is no
 * longer kept.
 */
export const redeliverOne = async (tx: Transaction, id: string, now: number): Promise<void> => {
  if (await redeliver(tx, id, now)) return;
  if ((await findWebhookOf(tx, id)) === undefined) {
    throw new PrepressError(
      'NOT_FOUND',
      `There is no delivery "${id}". "prepress webhooks deliveries" lists the newest.`,
    );
  }
  const sentence = `The body of delivery ${id} is no longer kept. The setting redeliveryDays says how long bodies are kept.`;
  throw new PrepressError('VALIDATION', sentence);
};

type Rotation = { readonly id: string; readonly secretBox: SecretBox; readonly now: number };

/** Gives the webhook a new secret, which is returned once; throws NOT_FOUND. */
export const rotateWebhook = async (
  tx: Transaction,
  { id, secretBox, now }: Rotation,
): Promise<{ readonly secret: string; readonly previousUntil: number }> => {
  await getWebhook(tx, id);
  const secret = createSecret();
  const previousUntil = now + OVERLAP_MS;
  await rotateSecret(tx, { id, secretSealed: secretBox.seal(secret), until: previousUntil }, now);
  return { secret, previousUntil };
};

const getWebhook = async (tx: Transaction, id: string): Promise<WebhookRow> => {
  const webhook = await findWebhook(tx, id);
  if (webhook === undefined) throw new PrepressError('NOT_FOUND', 'Webhook not found.');
  return webhook;
};
