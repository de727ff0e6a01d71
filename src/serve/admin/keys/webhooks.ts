// Webhooks: create, update, delete. They cannot be read back, and a secret is shown in the answer that
// makes it and never again (decisions, Admin: Webhooks). A webhook belongs to the key that made it: only
// that key and owner keys may change it, test it or send its deliveries again.
import { invalid, notFound, PrepressError } from '../../../base/errors.ts';
import { findNearestName } from '../../../base/text/nearest-name.ts';
import { pick } from '../../../base/text/words.ts';
import { toIsoTime } from '../../../base/time.ts';
import { isOwnerKey } from '../../../publication/store/access/keys.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import {
  openRequest,
  sealRequest,
  showRequest,
} from '../../../publication/store/webhooks/webhook-requests.ts';
import {
  createSecret,
  faultOfSecret,
  standardSecret,
} from '../../../publication/store/webhooks/webhook-secret.ts';
import {
  deleteWebhook as deleteWebhookRow,
  findDuplicateWebhook,
  findWebhook,
  insertWebhook,
  type StoredRequest,
  updateWebhook,
  type WebhookRow,
} from '../../../publication/store/webhooks/webhooks.ts';
import type { WebhookCreateInput, WebhookEditInput } from '../../contract/input/webhook-input.ts';
import type { ShownRecord } from '../../contract/records.ts';
import type { UseCaseContext } from '../use-case-context.ts';
import { planRequest } from './webhook-request.ts';

export type WebhooksContext = Pick<
  UseCaseContext,
  'store' | 'clock' | 'secretBox' | 'vetTarget' | 'webhookEvents'
>;

/** `secret` is null but in the answer that made it. */
export type ShownWebhook = ShownRecord<'Webhook'>;

/** Throws VALIDATION. The webhook belongs to the admin key `keyId`; with null, to owner keys. */
export const createWebhook = async (
  context: WebhooksContext,
  input: WebhookCreateInput,
  keyId: string | null,
): Promise<ShownWebhook & { readonly standard_secret: string }> => {
  await checkWebhook(context, input);
  const { event, target_url: targetUrl } = input;
  const known = { headers: {}, body: null };
  const own = planRequest({ known, input, event, targetUrl });
  const secret = input.secret ?? createSecret();
  const row = await context.store.write(async (tx) => {
    if (await findDuplicateWebhook(tx, { event, targetUrl })) {
      const message = 'Target URL has already been used for this event.';
      const hint = '"prepress webhooks list" shows it.';
      throw new PrepressError('VALIDATION', message, { property: 'target_url', hint });
    }
    const values = {
      event,
      targetUrl,
      secretSealed: context.secretBox.seal(secret),
      name: input.name ?? null,
      integrationId: keyId,
      request: sealRequest(context.secretBox, own, input.preset ?? null),
      ...(input.api_version && { apiVersion: input.api_version }),
    };
    return insertWebhook(tx, values, context.clock.now());
  });
  return { ...showWebhook(row), secret, standard_secret: standardSecret(secret) };
};

/** An absent or null secret stays. Throws VALIDATION, NOT_FOUND, NO_PERMISSION. */
export const editWebhook = async (
  context: WebhooksContext,
  { id, input }: { readonly id: string; readonly input: WebhookEditInput },
  keyId: string,
): Promise<ShownWebhook> => {
  await checkWebhook(context, input);
  const changes = {
    ...(input.event !== undefined && { event: input.event }),
    ...(input.target_url !== undefined && { target_url: input.target_url }),
    ...(input.name !== undefined && { name: input.name }),
    ...(input.api_version && { api_version: input.api_version }),
    ...(input.secret && { secret_sealed: context.secretBox.seal(input.secret) }),
  };
  const row = await context.store.write(async (tx) => {
    const known = await getOwnWebhook(tx, id, keyId);
    const request = editRequest(context, known, input);
    return updateWebhook(tx, { id, changes: { ...changes, ...request } }, context.clock.now());
  });
  if (row === undefined) throw notFound('Webhook');
  return showWebhook(row);
};

/** Also where the event alone is another one: the template may name what that does not have. */
const editRequest = (
  { secretBox }: WebhooksContext,
  row: WebhookRow,
  input: WebhookEditInput,
): StoredRequest => {
  const known = openRequest(secretBox, row.request_sealed);
  const { event = row.event, target_url: targetUrl = row.target_url } = input;
  const own = planRequest({ known, input, event, targetUrl });
  return sealRequest(secretBox, own, input.preset ?? showRequest(row)?.preset ?? null);
};

/** Throws NOT_FOUND, NO_PERMISSION. */
export const removeWebhook = (
  { store }: Pick<WebhooksContext, 'store'>,
  id: string,
  keyId: string,
): Promise<void> =>
  store.write(async (tx) => {
    await getOwnWebhook(tx, id, keyId);
    await deleteWebhookRow(tx, id);
  });

const checkWebhook = async (
  { webhookEvents, vetTarget }: WebhooksContext,
  input: WebhookEditInput,
): Promise<void> => {
  if (input.event !== undefined && !webhookEvents.includes(input.event)) {
    const near = findNearestName(input.event, webhookEvents);
    const meant =
      near === null ? ` The events are ${webhookEvents.join(', ')}.` : ` Did you mean ${near}?`;
    throw invalid('event', `There is no event "${input.event}".${meant}`);
  }
  const fault = input.secret ? faultOfSecret(input.secret) : null;
  if (fault !== null) throw invalid('secret', fault);
  if (input.target_url === undefined) return;
  const reason = await vetTarget(input.target_url);
  if (reason !== null) throw invalid('target_url', reason);
};

/**
 * The webhook, if the key may act on it. Throws NOT_FOUND, and NO_PERMISSION for that of another key, as
 * Ghost does (facts 8.1).
 */
export const getOwnWebhook = async (
  tx: Transaction,
  id: string,
  keyId: string,
): Promise<WebhookRow> => {
  const row = await findWebhook(tx, id);
  if (row === undefined) throw notFound('Webhook');
  if (row.integration_id === keyId || (await isOwnerKey(tx, keyId))) return row;
  throw new PrepressError('NO_PERMISSION', 'The webhook belongs to another key.');
};

export const showWebhook = (row: WebhookRow): ShownWebhook => ({
  ...pick(row, 'id event target_url name'),
  secret: null,
  ...pick(row, 'api_version integration_id'),
  last_triggered_at: toIsoTime(row.last_triggered_at),
  ...pick(row, 'last_triggered_status last_triggered_error'),
  created_at: new Date(row.created_at).toISOString(),
  updated_at: toIsoTime(row.updated_at),
});
