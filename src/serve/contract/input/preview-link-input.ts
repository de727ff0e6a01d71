// What a client may ask of a link to a preview.
import * as z from 'zod';
import { PREVIEW_HOURS_MAX } from '../../../base/limits.ts';

export const previewLinkInput = z.object({
  hours: z.int().min(1).max(PREVIEW_HOURS_MAX).default(1),
  ungated: z.boolean().default(false),
});
