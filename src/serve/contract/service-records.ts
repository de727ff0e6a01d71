// Webhooks, deliveries, builds, keys and what the server says of itself.
import * as z from 'zod';
import { each } from '../../base/text/words.ts';
import { labelSchema } from './member.ts';
import { count, recordId, textOrNull, timeOrNull, utcTime } from './record-fields.ts';

/** What a webhook sends in its own way, without values. */
const requestSchema = z.strictObject({
  preset: textOrNull,
  headers: z.array(z.string()),
  has_body: z.boolean(),
});

const webhookFields = {
  id: recordId,
  event: z.string().meta({ examples: ['post.published'] }),
  target_url: z.string(),
  name: textOrNull,
  secret: textOrNull,
  api_version: z.string(),
  integration_id: textOrNull,
  last_triggered_at: timeOrNull,
  ...each(textOrNull, 'last_triggered_status last_triggered_error'),
  created_at: utcTime,
  updated_at: timeOrNull,
};

const revisionFields = { ...each(recordId, 'id post_id'), title: z.string(), by: textOrNull };

const bulkStats = z.strictObject({ successful: count, unsuccessful: count });

const keyType = z.enum(['content', 'admin', 'hook']);

/** By the names that the OpenAPI document gives them. */
export const SERVICE_RECORDS = {
  Webhook: z.strictObject(webhookFields),
  /** The one answer that shows the secrets. */
  NewWebhook: z.strictObject({
    ...webhookFields,
    ...each(z.string(), 'secret standard_secret'),
  }),
  Delivery: z.strictObject({
    id: recordId,
    webhook_id: recordId,
    event: z.string(),
    generation: count,
    record_id: z.string(),
    state: z.enum(['pending', 'done', 'failed']),
    ...each(utcTime, 'due_at created_at'),
    finished_at: timeOrNull,
    attempts: z.array(
      z.strictObject({
        number: z.int().positive(),
        started_at: utcTime,
        duration_ms: count,
        status: z.int().nullable(),
        ...each(textOrNull, 'error reason'),
      }),
    ),
  }),
  Upload: z.strictObject({ url: z.string(), ref: textOrNull }),
  MediaUpload: z.strictObject({
    url: z.string(),
    thumbnail_url: textOrNull,
    ref: textOrNull,
  }),
  BulkEdit: z.strictObject({
    action: z.string(),
    meta: z.strictObject({
      stats: bulkStats,
      errors: z.array(z.string()),
      unsuccessfulData: z.array(z.string()),
    }),
  }),
  BulkDelete: z.strictObject({
    stats: bulkStats,
    unsuccessfulIds: z.array(z.string()),
    errors: z.array(z.string()),
  }),
  /** Of posts and pages, for which Ghost has another form. */
  PostsDelete: z.strictObject({
    meta: z.strictObject({ stats: bulkStats, errors: z.array(z.string()) }),
  }),
  MembersImport: z.strictObject({
    stats: z.strictObject({
      imported: count,
      /** The cells of each line that was not taken. */
      invalid: z.array(z.looseObject({ line: count, error: z.string() })),
    }),
    originalImportSize: count,
    import_label: labelSchema.nullable(),
    /** Lines that were not taken and are not among those above. */
    invalid_unlisted: count.optional(),
    warnings: z.array(z.string()).optional(),
  }),
  MemberJob: z.strictObject({
    id: recordId,
    kind: z.enum(['import', 'edit', 'delete']),
    state: z.enum(['reading', 'running', 'done', 'failed']),
    ...each(count, 'members_total members_done'),
    /** What is half done, and why it is not more. */
    error: textOrNull,
    created_at: utcTime,
    ended_at: timeOrNull,
    /** What the request is answered where it is not answered 202. */
    result: z.looseObject({}).nullable(),
  }),
  Queued: z.strictObject({ id: recordId }),
  Body: z.strictObject({ html: textOrNull, lexical: textOrNull }),
  Build: z.strictObject({
    id: recordId,
    generation: z.int().nullable(),
    kind: z.enum(['full', 'incremental']).nullable(),
    state: z.enum(['requested', 'running', 'done', 'failed']),
    requested_by: z.string(),
    requested_at: utcTime,
    ...each(timeOrNull, 'started_at finished_at'),
    error: textOrNull,
  }),
  Key: z.strictObject({
    id: recordId,
    type: keyType,
    name: z.string(),
    is_owner: z.boolean(),
    created_at: utcTime,
    ...each(timeOrNull, 'last_seen_at revoked_at'),
  }),
  /** The one answer that shows the key. */
  NewKey: z.strictObject({
    id: recordId,
    type: keyType,
    name: z.string(),
    is_owner: z.boolean(),
    key: z.string(),
  }),
  Site: z.strictObject({
    ...each(z.string(), 'title description'),
    ...each(textOrNull, 'logo icon cover_image accent_color'),
    ...each(z.string(), 'locale url version'),
  }),
  Config: z.strictObject(each(z.string(), 'version environment database mail')),
  /** The page that readers will have. */
  Preview: z.strictObject({ html: textOrNull }),
  /** The one answer that shows the token. */
  PreviewLink: z.strictObject({ ...each(z.string(), 'url token'), expires_at: utcTime }),
  ListedRevision: z.strictObject({ ...revisionFields, created_at: utcTime }),
  Revision: z.strictObject({
    ...revisionFields,
    created_at: utcTime,
    ...each(textOrNull, 'html lexical'),
  }),
  Setting: z.strictObject({
    key: z.string(),
    value: z.union([z.string(), z.boolean()]).nullable(),
  }),
  /** What the desk shows beside the records. */
  Desk: z.strictObject({
    is_owner: z.boolean(),
    webhook_events: z.array(z.string()),
    webhook_presets: z.array(
      z.strictObject({
        ...each(z.string(), 'name title address'),
        token: textOrNull,
      }),
    ),
    webhooks: z.array(
      z.strictObject({
        ...webhookFields,
        is_enabled: z.boolean(),
        disabled_reason: textOrNull,
        request: requestSchema.nullable(),
      }),
    ),
    pending_senders: z.array(
      z.strictObject({ newsletter_id: recordId, sender_email: z.string(), expires_at: utcTime }),
    ),
    deliveries: z.record(z.string(), count),
    /** How far unfinished work on many members is, and what failed within a day: a sentence each. */
    bulk_work: z.array(z.string()),
    follows: textOrNull,
    is_sample: z.boolean(),
    mail: z.enum(['SMTP', 'file']),
    /** The pattern of addresses of posts. */
    permalinks: z.string(),
    /** Of the publication. */
    timezone: z.string(),
    /** Whether pages for readers are made. */
    has_pages: z.boolean(),
    /** Who may read a new post; ids of the tiers. */
    new_post: z.strictObject({ visibility: z.string(), tiers: z.array(recordId) }),
    /** Whether links to previews can be made. */
    has_preview_links: z.boolean(),
    /** What is wrong with the server's clock, or null. */
    clock: textOrNull,
    /** The command that installs what documents of the editor need to be saved; null where it is installed. */
    editor_install: textOrNull,
  }),
} as const;
