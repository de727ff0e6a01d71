// The records that views show, as the admin interface answers them: types alone, nothing of the schemas is bundled.
import type * as z from 'zod';
import type { adminPageSchema, adminPostSchema } from '../contract/content-records.ts';
import type { listedMemberSchema, readMemberSchema, tierSchema } from '../contract/member.ts';
import type { newsletterSchema } from '../contract/newsletter.ts';
import type { adminPagination } from '../contract/record-fields.ts';
import type {
  buildSchema,
  deliverySchema,
  deskSchema,
  keySchema,
  newKeySchema,
  newWebhookSchema,
} from '../contract/service-records.ts';

export type Post = z.output<typeof adminPostSchema>;
export type Page = z.output<typeof adminPageSchema>;
export type ListedMember = z.output<typeof listedMemberSchema>;
export type Member = z.output<typeof readMemberSchema>;
export type Tier = z.output<typeof tierSchema>;
export type Newsletter = z.output<typeof newsletterSchema>;
export type Pagination = z.output<typeof adminPagination>;
export type Build = z.output<typeof buildSchema>;
export type Delivery = z.output<typeof deliverySchema>;
export type Desk = z.output<typeof deskSchema>;
export type Webhook = Desk['webhooks'][number];
export type WebhookPreset = Desk['webhook_presets'][number];
export type NewWebhook = z.output<typeof newWebhookSchema>;
export type Key = z.output<typeof keySchema>;
export type NewKey = z.output<typeof newKeySchema>;

export type Paged = { readonly meta: { readonly pagination: Pagination } };
