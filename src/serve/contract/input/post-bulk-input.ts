// What a client may ask of many posts or pages at once, in Ghost's words.
import * as z from 'zod';
import { nameReference } from '../fields.ts';
import { tierReferences } from './post-input.ts';

export const VISIBILITIES = ['public', 'members', 'paid', 'tiers'] as const;

export const postsBulkInput = z.object({
  action: z.enum(['unpublish', 'unschedule', 'feature', 'unfeature', 'access', 'addTag']),
  meta: z
    .object({
      visibility: z.enum(VISIBILITIES).nullish(),
      tiers: tierReferences.nullish(),
      tags: z.array(nameReference).max(1000).nullish(),
    })
    .nullish(),
});

export type PostsBulkInput = z.output<typeof postsBulkInput>;
