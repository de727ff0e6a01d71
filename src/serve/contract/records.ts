// The records of the admin interface by the names that the OpenAPI document gives them.
import type * as z from 'zod';
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
import { SERVICE_RECORDS } from './service-records.ts';

export const RECORDS = {
  Post: adminPostSchema,
  Page: adminPageSchema,
  Tag: tagSchema,
  User: userSchema,
  ListedMember: listedMemberSchema,
  Member: readMemberSchema,
  SavedMember: savedMemberSchema,
  Newsletter: newsletterSchema,
  Label: labelSchema,
  Tier: tierSchema,
  Offer: offerSchema,
  ...SERVICE_RECORDS,
} as const;

export type RecordName = keyof typeof RECORDS;

export type ShownRecord<Name extends RecordName> = Readonly<z.output<(typeof RECORDS)[Name]>>;
