// The schema of every document of the content interface, found by resource, variant and shape.
import * as z from 'zod';
import { paginationSchema, RECORD_SCHEMAS } from '../../src/content/contract/documents.ts';
import { errorDocumentSchema } from '../../src/content/contract/error.ts';
import { settingsSchema } from '../../src/content/contract/settings.ts';

/** single: one record by id or slug, without `meta`; settings have no other shape. */
export type DocumentShape = 'list' | 'single';

const meta = z.strictObject({ pagination: paginationSchema });

const settingsDocumentSchema = z.strictObject({ settings: settingsSchema });

/**
 * The schema of a document, or null when the interface has none such. `variant` is the file's name
 * without `.json`: `index`, `authors-tags`, `public-count-posts`, `page-2-authors`.
 */
export const findDocumentSchema = (
  resource: string,
  variant: string,
  shape: DocumentShape,
): z.ZodType | null => {
  if (resource === 'settings') return variant === 'index' ? settingsDocumentSchema : null;
  const include = shape === 'list' ? dropListTokens(resource, variant) : variant;
  const record = RECORD_SCHEMAS[resource]?.[include];
  if (record === undefined) return null;
  return shape === 'list'
    ? z.strictObject({ [resource]: z.array(record), meta })
    : z.strictObject({ [resource]: z.array(record).length(1) });
};

const dropListTokens = (resource: string, variant: string): string => {
  const unpaged = variant.replace(/^page-\d+(?:-|$)/, '');
  const unfiltered = resource === 'tags' ? unpaged.replace(/^public(?:-|$)/, '') : unpaged;
  return unfiltered === '' ? 'index' : unfiltered;
};

/** The body of an address that has no record: always the same bytes, so without an id. */
export const notFoundDocumentSchema = z.strictObject({
  errors: z
    .array(
      errorDocumentSchema.shape.errors.element.extend({
        type: z.literal('NotFoundError'),
        id: z.null(),
      }),
    )
    .length(1),
});
