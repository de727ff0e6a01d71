// Webhooks of the admin interface: add, edit, delete. They cannot be read back: GET is not found.
import type { FastifyInstance } from 'fastify';
import { createWebhook, editWebhook, removeWebhook } from '../../admin/keys/webhooks.ts';
import { parseInput } from '../../contract/input/parse-input.ts';
import { webhookCreateInput, webhookEditInput } from '../../contract/input/webhook-input.ts';
import type { ServerDeps } from '../ports.ts';
import { bodyElement, pathId } from './request-values.ts';

export const webhookRoutes = (app: FastifyInstance, { config, context }: ServerDeps): void => {
  const base = `${config.basePath}/admin/webhooks`;
  const save = { config: { action: 'save webhook' } };

  app.post(base, save, async (request, reply) => {
    const input = parseInput(webhookCreateInput, bodyElement(request, 'webhooks'));
    const webhook = await createWebhook(context, input, request.adminKeyId);
    reply.code(201);
    return { webhooks: [webhook] };
  });
  app.put(`${base}/:id`, save, async (request) => {
    const id = pathId(request);
    const input = parseInput(webhookEditInput, bodyElement(request, 'webhooks', id));
    return { webhooks: [await editWebhook(context, { id, input }, request.adminKeyId)] };
  });
  app.delete(`${base}/:id`, { config: { action: 'delete webhook' } }, async (request, reply) => {
    await removeWebhook(context, pathId(request), request.adminKeyId);
    return reply.code(204).send();
  });
};
