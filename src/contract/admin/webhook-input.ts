// What a client may send to create or edit a webhook (facts 8.1, decisions, Admin). Which events exist and
// which targets may be reached is decided by the use case.
import { z } from 'zod';
import { nullableText, text } from './fields.ts';

const isAbsolute = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

const fields = {
  event: text(50),
  target_url: text(2000).refine(isAbsolute, 'must be an absolute http or https address'),
  name: nullableText(191).optional(),
  secret: nullableText(191).optional(),
  api_version: nullableText(50).optional(),
};

export const webhookCreateInput = z.object(fields);
export const webhookEditInput = z.object({
  ...fields,
  event: fields.event.optional(),
  target_url: fields.target_url.optional(),
});

export type WebhookCreateInput = z.output<typeof webhookCreateInput>;
export type WebhookEditInput = z.output<typeof webhookEditInput>;
