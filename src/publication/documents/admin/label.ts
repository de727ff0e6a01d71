// A label as the admin interface shows it (interface: Label).
import { pick } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { JsonObject } from './document-context.ts';
import { adminTime } from './values.ts';

export const adminLabel = (label: RecordRow<'labels'>): JsonObject => ({
  ...pick(label, 'id name slug'),
  created_at: adminTime(label.created_at),
  updated_at: adminTime(label.updated_at) ?? adminTime(label.created_at),
});
