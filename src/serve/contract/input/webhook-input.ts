// What a client may send to create or edit a webhook (facts 8.1, decisions, Admin). Which events exist and
// which targets may be reached is decided by the use case.
import * as z from 'zod';
import { SECRET_CHARACTERS_MIN } from '../../../base/limits.ts';
import { nullableText, text } from '../fields.ts';
import { WEBHOOK_PRESET_NAMES } from '../webhook-presets.ts';

const isAbsolute = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

/** URL parsers drop or trim these silently, so the text would not be the address that is called. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

const visibleLength = (value: string): number =>
  [...value.trim()].filter((one) => one === ' ' || !UNSEEN.test(one)).length;

const secret = nullableText(191).refine(
  (value) => value === null || visibleLength(value) >= SECRET_CHARACTERS_MIN,
  `must have at least ${SECRET_CHARACTERS_MIN} visible characters`,
);

const fields = {
  event: text(50),
  target_url: text(2000)
    .refine(isAbsolute, 'must be an absolute http or https address')
    .refine(
      (value) => !UNSEEN.test(value),
      'must not hold spaces, control or invisible characters',
    ),
  name: nullableText(191).optional(),
  secret: secret.meta({ minLength: SECRET_CHARACTERS_MIN }).optional(),
  api_version: nullableText(50).optional(),
  /** Each is set, or removed where it is null; the others stay. */
  headers: z.record(z.string(), z.string().nullable()).optional(),
  /** A JSON object with placeholders; null: the body is Prepress's own. */
  body: z.record(z.string(), z.unknown()).nullable().optional(),
  preset: z.enum(WEBHOOK_PRESET_NAMES).optional(),
  /** What the preset's receiver asks for. */
  token: text(2000)
    .refine((value) => /^[\x21-\x7a|~]+$/.test(value), 'must hold visible ASCII without braces')
    .optional(),
};

export const webhookCreateInput = z.object(fields);
export const webhookEditInput = z.object({
  ...fields,
  event: fields.event.optional(),
  target_url: fields.target_url.optional(),
});

export type WebhookCreateInput = z.output<typeof webhookCreateInput>;
export type WebhookEditInput = z.output<typeof webhookEditInput>;
