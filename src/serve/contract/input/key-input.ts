// What a client may send to create an API key.
import * as z from 'zod';
import { text } from '../fields.ts';

export const keyInput = z.object({
  type: z.enum(['content', 'admin', 'hook']),
  name: text(191),
});
