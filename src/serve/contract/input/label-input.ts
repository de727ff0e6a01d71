// What a client may send to create or edit a label.
import * as z from 'zod';
import { nullableText, recordName } from '../fields.ts';

const slug = nullableText(191).optional();

export const labelCreateInput = z.object({ name: recordName, slug });
export const labelEditInput = z.object({ name: recordName.optional(), slug });

export type LabelCreateInput = z.output<typeof labelCreateInput>;
export type LabelEditInput = z.output<typeof labelEditInput>;
