// The records that views show, as the admin interface answers them: types alone, nothing of the schemas is bundled.
import type * as z from 'zod';
import type { adminPagination } from '../contract/record-fields.ts';
import type { ShownRecord as Shown } from '../contract/records.ts';

export type Post = Shown<'Post'>;
export type Page = Shown<'Page'>;
export type ListedMember = Shown<'ListedMember'>;
export type Member = Shown<'Member'>;
export type Tag = Shown<'Tag'>;
export type ListedRevision = Shown<'ListedRevision'>;
export type Revision = Shown<'Revision'>;
export type Setting = Shown<'Setting'>;
export type Tier = Shown<'Tier'>;
export type Newsletter = Shown<'Newsletter'>;
export type Pagination = z.output<typeof adminPagination>;
export type Build = Shown<'Build'>;
export type Delivery = Shown<'Delivery'>;
export type Desk = Shown<'Desk'>;
export type PreviewLink = Shown<'PreviewLink'>;
export type Webhook = Desk['webhooks'][number];
export type WebhookPreset = Desk['webhook_presets'][number];
export type NewWebhook = Shown<'NewWebhook'>;
export type Key = Shown<'Key'>;
export type ImportedMembers = Shown<'MembersImport'>;
export type MemberJob = Shown<'MemberJob'>;
export type NewKey = Shown<'NewKey'>;

export type Paged = { readonly meta: { readonly pagination: Pagination } };
