// An author (a row of users) as the admin interface shows it. Users have no passwords in this database;
// the list of keys is closed all the same, so that a new column is not shown by accident.
import { pick, pickAs } from '../../../base/text/words.ts';
import type { RecordRow } from '../../snapshot/snapshot.ts';
import type { AdminContext, JsonObject } from './document-context.ts';
import { adminTime } from './values.ts';

export const adminAuthor = (
  author: RecordRow<'users'>,
  { site, urls }: AdminContext,
): JsonObject => ({
  ...pick(author, 'id name slug email'),
  ...pickAs(author, 'profile_image cover_image', site.nullableText),
  ...pick(author, 'bio website location facebook twitter threads bluesky mastodon tiktok'),
  ...pick(author, 'youtube instagram linkedin status meta_title meta_description'),
  ...pickAs(author, 'last_seen created_at updated_at', adminTime),
  url: urls.author(author),
});
