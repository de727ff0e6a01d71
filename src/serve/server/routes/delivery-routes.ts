// What becomes of webhooks: their deliveries, one sent again, a test. Never a payload or a secret.
import type { FastifyInstance } from 'fastify';
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
import { getOwnWebhook } from '../../admin/keys/webhooks.ts';
import type { ServerDeps } from '../ports.ts';
import { pathId, queryValue } from './request-values.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

export const deliveryRoutes = (app: FastifyInstance, { config, context }: ServerDeps): void => {
  const base = `${config.basePath}/admin`;
  const does = (action: string) => ({ config: { action } });

  app.get(`${base}/deliveries`, does('list deliveries'), async (request) => {
    const webhookId = queryValue(request, 'webhook_id');
    if (webhookId !== undefined && !isId(webhookId)) {
      throw new PrepressError('VALIDATION', 'webhook_id must be 24 hexadecimal characters.', {
        property: 'webhook_id',
      });
    }
    const { reader } = context.store;
    const isOwner = await isOwnerKey(reader, request.adminKeyId);
    const deliveries = await listDeliveries(reader, {
      failed: queryValue(request, 'failed') === 'true',
      limit: limitOf(queryValue(request, 'limit')),
      ...(webhookId !== undefined && { webhookId }),
      ...(!isOwner && { integrationId: request.adminKeyId }),
    });
    return { deliveries: deliveries.map(showDelivery) };
  });
  app.post(
    `${base}/deliveries/:id/redeliver`,
    does('redeliver delivery'),
    async (request, reply) => {
      const id = pathId(request);
      const { store, clock } = context;
      await store.write(async (writer) => {
        const webhookId = await findWebhookOf(writer, id);
        if (webhookId === undefined) throw new PrepressError('NOT_FOUND', 'Delivery not found.');
        await getOwnWebhook(writer, webhookId, request.adminKeyId);
        await redeliverOne(writer, id, clock.now());
      });
      reply.code(202);
      return { deliveries: [{ id }] };
    },
  );
  app.post(`${base}/webhooks/:id/test`, does('test webhook'), async (request, reply) => {
    const { store, clock } = context;
    const webhookId = pathId(request);
    const id = await store.write(async (writer) => {
      await getOwnWebhook(writer, webhookId, request.adminKeyId);
      return queueTest(writer, webhookId, clock.now());
    });
    reply.code(202);
    return { deliveries: [{ id }] };
  });
};

export const limitOf = (text: string | undefined): number => {
  if (text === undefined || text === '') return LIMIT_DEFAULT;
  if (!/^\d{1,9}$/.test(text)) {
    throw new PrepressError('VALIDATION', 'limit must be a positive number.', {
      property: 'limit',
    });
  }
  return Math.min(Math.max(1, Number(text)), LIMIT_MAX);
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
