// What a client may ask of many posts or pages at once, in Ghost's words.
import * as z from 'zod';
import { tagReference, tierReferences } from './post-input.ts';

const VISIBILITIES = ['public', 'members', 'paid', 'tiers'] as const;

export const postsBulkInput = z.object({
  action: z.enum(['unpublish', 'unschedule', 'feature', 'unfeature', 'access', 'addTag']),
  meta: z
    .object({
      visibility: z.enum(VISIBILITIES).nullish(),
      tiers: tierReferences.nullish(),
      tags: z.array(tagReference).max(1000).nullish(),
    })
    .nullish(),
});

export type PostsBulkInput = z.output<typeof postsBulkInput>;
