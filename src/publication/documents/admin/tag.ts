// A tag as the admin interface shows it; `storedTag` leaves out what is derived, for a webhook's
// `previous`.
import { pick, pickAs } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminTexts, adminTime } from './values.ts';

export const adminTag = (tag: RecordRow<'tags'>, context: AdminContext): JsonObject => ({
  ...storedTag(tag, context),
  url: context.urls.tag(tag),
});

export const storedTag = (tag: RecordRow<'tags'>, { site }: AdminContext): JsonObject => ({
  ...pick(tag, 'id name slug visibility'),
  ...adminTexts('tags', tag, site),
  ...pickAs(tag, 'created_at updated_at', adminTime),
});
