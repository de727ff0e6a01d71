// A label as the admin interface shows it (interface: Label).
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { adminTime } from './values.ts';

export const adminLabel = (label: RecordRow<'labels'>): JsonObject => ({
  id: label.id,
  name: label.name,
  slug: label.slug,
  created_at: adminTime(label.created_at),
  updated_at: adminTime(label.updated_at) ?? adminTime(label.created_at),
});
