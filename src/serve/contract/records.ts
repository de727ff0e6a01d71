// The records of the admin interface by the names that the OpenAPI document gives them.
import { adminPageSchema, adminPostSchema, tagSchema, userSchema } from './content-records.ts';
import {
  labelSchema,
  listedMemberSchema,
  readMemberSchema,
  savedMemberSchema,
  tierSchema,
} from './member.ts';
import { newsletterSchema } from './newsletter.ts';
import { offerSchema } from './offer.ts';
import {
  buildSchema,
  bulkDeleteSchema,
  bulkEditSchema,
  configSchema,
  deliverySchema,
  deskSchema,
  keySchema,
  mediaUploadSchema,
  memberJobSchema,
  membersImportSchema,
  newKeySchema,
  newWebhookSchema,
  postsDeleteSchema,
  queuedSchema,
  settingSchema,
  siteSchema,
  uploadSchema,
  webhookSchema,
} from './service-records.ts';

export const RECORDS = {
  Post: adminPostSchema,
  Page: adminPageSchema,
  Tag: tagSchema,
  User: userSchema,
  ListedMember: listedMemberSchema,
  Member: readMemberSchema,
  SavedMember: savedMemberSchema,
  BulkEdit: bulkEditSchema,
  BulkDelete: bulkDeleteSchema,
  PostsDelete: postsDeleteSchema,
  MembersImport: membersImportSchema,
  MemberJob: memberJobSchema,
  Newsletter: newsletterSchema,
  Label: labelSchema,
  Tier: tierSchema,
  Offer: offerSchema,
  Webhook: webhookSchema,
  NewWebhook: newWebhookSchema,
  Delivery: deliverySchema,
  Upload: uploadSchema,
  MediaUpload: mediaUploadSchema,
  Queued: queuedSchema,
  Build: buildSchema,
  Key: keySchema,
  NewKey: newKeySchema,
  Site: siteSchema,
  Config: configSchema,
  Desk: deskSchema,
  Setting: settingSchema,
} as const;

export type RecordName = keyof typeof RECORDS;
