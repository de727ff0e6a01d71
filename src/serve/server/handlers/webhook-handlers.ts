// Webhooks: add, edit, delete, test. They cannot be read back: GET is not found. And what becomes of them: their
// deliveries, and one sent again. Never a payload or a secret.
import { PrepressError } from '../../../base/errors.ts';
import { isId } from '../../../base/ids.ts';
import { toIsoTime } from '../../../base/time.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import {
  type ListedDelivery,
  listDeliveries,
} from '../../../publication/store/webhooks/attempts.ts';
import { findWebhookOf } from '../../../publication/store/webhooks/deliveries.ts';
import { queueTest, redeliverOne } from '../../../publish/webhooks/sending/webhook-actions.ts';
import {
  createWebhook,
  editWebhook,
  getOwnWebhook,
  removeWebhook,
} from '../../admin/keys/webhooks.ts';
import type { ServerDeps } from '../ports.ts';
import type { Handlers } from './handler.ts';
import { limitOf } from './key-handlers.ts';

type WebhookHandlers = Pick<Handlers, 'webhooks' | 'deliveries'>;

export const webhookHandlers = ({ context }: ServerDeps): WebhookHandlers => {
  const { store, clock } = context;
  return {
    webhooks: {
      'POST /': ({ input, keyId }) => createWebhook(context, input, keyId),
      'PUT /{id}/': ({ id, input, keyId }) => editWebhook(context, { id, input }, keyId),
      'DELETE /{id}/': ({ id, keyId }) => removeWebhook(context, id, keyId),
      'POST /{id}/test/': async ({ id, keyId }) => ({
        id: await store.write(async (writer) => {
          await getOwnWebhook(writer, id, keyId);
          return queueTest(writer, id, clock.now());
        }),
      }),
    },
    deliveries: {
      'GET /': async ({ keyId, value }) => {
        const webhookId = value('webhook_id');
        if (webhookId !== undefined && !isId(webhookId)) {
          throw new PrepressError('VALIDATION', 'webhook_id must be 24 hexadecimal characters.', {
            property: 'webhook_id',
          });
        }
        const isOwner = await isOwnerKey(store.reader, keyId);
        const deliveries = await listDeliveries(store.reader, {
          failed: value('failed') === 'true',
          limit: limitOf(value('limit')),
          ...(webhookId !== undefined && { webhookId }),
          ...(!isOwner && { integrationId: keyId }),
        });
        return deliveries.map(showDelivery);
      },
      'POST /{id}/redeliver/': async ({ id, keyId }) => {
        await store.write(async (writer) => {
          const webhookId = await findWebhookOf(writer, id);
          if (webhookId === undefined) throw new PrepressError('NOT_FOUND', 'Delivery not found.');
          await getOwnWebhook(writer, webhookId, keyId);
          await redeliverOne(writer, id, clock.now());
        });
        return { id };
      },
    },
  };
};

const showDelivery = (delivery: ListedDelivery) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  generation: delivery.generation,
  record_id: delivery.recordId,
  state: delivery.state,
  due_at: toIsoTime(delivery.dueAt),
  created_at: toIsoTime(delivery.createdAt),
  finished_at: toIsoTime(delivery.finishedAt),
  attempts: delivery.attempts.map(({ number, startedAt, durationMs, status, error, reason }) => ({
    number,
    started_at: toIsoTime(startedAt),
    duration_ms: durationMs,
    status,
    error,
    reason,
  })),
});
