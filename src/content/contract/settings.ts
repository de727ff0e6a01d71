// The settings object of the content interface.
import * as z from 'zod';
import { absoluteUrl, filledOrNull, previewFields } from './fields.ts';

const navigation = z.array(z.strictObject({ label: z.string(), url: z.string() }));

export const settingsSchema = z.strictObject({
  title: z.string(),
  description: z.string(),
  logo: filledOrNull,
  icon: filledOrNull,
  cover_image: filledOrNull,
  accent_color: filledOrNull,
  facebook: filledOrNull,
  twitter: filledOrNull,
  lang: z.string().min(1),
  timezone: z.string().min(1),
  codeinjection_head: filledOrNull,
  codeinjection_foot: filledOrNull,
  navigation,
  secondary_navigation: navigation,
  meta_title: filledOrNull,
  meta_description: filledOrNull,
  ...previewFields,
  members_support_address: z.string().regex(/^[^@\s]+@[^@\s]+$/),
  url: absoluteUrl,
});
