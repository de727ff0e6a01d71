// Rows of webhooks: which address wants which event, its sealed secrets, and how it fared. Secrets come
// here sealed; nothing here decides whether a target or an event name is allowed.
import { type Selectable, sql } from 'kysely';
import { createId } from '../../../base/ids.ts';
import type { WebhooksTable } from '../../tables/pipeline.ts';
import { db, type Queryable, type Transaction } from '../db.ts';
import { listRows, rowsOf } from '../table-rows.ts';

export type WebhookRow = Selectable<WebhooksTable>;

/** What a webhook sends in its own way; both null: nothing. */
export type StoredRequest = Pick<WebhookRow, 'request_sealed' | 'request_shown'>;

export type NewWebhook = {
  readonly event: string;
  readonly targetUrl: string;
  readonly secretSealed: Buffer;
  readonly name?: string | null;
  readonly apiVersion?: string;
  readonly integrationId?: string | null;
  readonly request?: StoredRequest;
};

export const insertWebhook = (
  tx: Transaction,
  { event, targetUrl, secretSealed, name, apiVersion, integrationId, request }: NewWebhook,
  now: number,
): Promise<WebhookRow> =>
  db(tx)
    .insertInto('webhooks')
    .values({
      id: createId(now),
      event,
      target_url: targetUrl,
      secret_sealed: secretSealed,
      name: name ?? null,
      integration_id: integrationId ?? null,
      created_at: now,
      updated_at: now,
      ...(apiVersion !== undefined && { api_version: apiVersion }),
      ...request,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export type WebhookChanges = {
  readonly event?: string;
  readonly target_url?: string;
  readonly name?: string | null;
  readonly api_version?: string;
  readonly secret_sealed?: Buffer;
} & Partial<StoredRequest>;

/** Changes what is given and, as any successful edit does, enables the webhook again. */
export const updateWebhook = (
  tx: Transaction,
  { id, changes }: { readonly id: string; readonly changes: WebhookChanges },
  now: number,
): Promise<WebhookRow | undefined> =>
  db(tx)
    .updateTable('webhooks')
    .set({
      ...changes,
      ...(changes.secret_sealed !== undefined && {
        previous_secret_sealed: null,
        previous_secret_until: null,
      }),
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** The secret so far stays live beside the new one until `until`. */
export const rotateSecret = (
  tx: Transaction,
  rotation: { readonly id: string; readonly secretSealed: Buffer; readonly until: number },
  now: number,
): Promise<WebhookRow | undefined> =>
  db(tx)
    .updateTable('webhooks')
    .set({
      previous_secret_sealed: sql`secret_sealed`,
      previous_secret_until: rotation.until,
      secret_sealed: rotation.secretSealed,
      updated_at: now,
    })
    .where('id', '=', rotation.id)
    .returningAll()
    .executeTakeFirst();

/** The deliveries of a webhook go with it. */
export const { find: findWebhook, remove: deleteWebhook } = rowsOf('webhooks');

/** A webhook with the same event and target, letter case aside (facts 8.1). */
export const findDuplicateWebhook = (
  from: Queryable,
  { event, targetUrl }: { readonly event: string; readonly targetUrl: string },
): Promise<WebhookRow | undefined> =>
  db(from)
    .selectFrom('webhooks')
    .selectAll()
    .where(sql`lower(event)`, '=', event.toLowerCase())
    .where(sql`lower(target_url)`, '=', targetUrl.toLowerCase())
    .executeTakeFirst();

/** Those that are disabled without the owner having been told. */
export const listUntoldWebhooks = (from: Queryable): Promise<WebhookRow[]> =>
  listRows(from, 'webhooks', { where: { status: 'disabled', owner_told_at: null }, by: ['id'] });

export const noteOwnerTold = async (tx: Transaction, id: string, now: number): Promise<void> => {
  await db(tx).updateTable('webhooks').set({ owner_told_at: now }).where('id', '=', id).execute();
};

export const listWebhooks = (from: Queryable): Promise<WebhookRow[]> =>
  listRows(from, 'webhooks', { by: ['created_at', 'id'] });
