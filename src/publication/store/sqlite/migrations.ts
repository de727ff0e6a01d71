// The migrations of the publishing database, in order. A new one gets the next number and a new file.

import type { Migration } from '../../../base/sqlite/migrate.ts';
import publication from './migrations/001_publication.sql';
import pipeline from './migrations/002_pipeline.sql';
import ownerTold from './migrations/003_owner_told.sql';
import shownPosts from './migrations/004_shown_posts.sql';
import keyOwners from './migrations/005_key_owners.sql';
import setAside from './migrations/006_set_aside.sql';
import eventBodies from './migrations/007_event_bodies.sql';
import memberLists from './migrations/008_member_lists.sql';
import following from './migrations/009_following.sql';
import emailOnly from './migrations/010_email_only.sql';
import membersDeleted from './migrations/011_members_deleted.sql';
import singleLinks from './migrations/012_single_links.sql';
import webhookRequests from './migrations/013_webhook_requests.sql';
import sourceProblems from './migrations/014_source_problems.sql';
import duePosts from './migrations/015_due_posts.sql';
import steadyClock from './migrations/016_steady_clock.sql';
import bulkJobs from './migrations/017_bulk_jobs.sql';
import postRevisions from './migrations/018_post_revisions.sql';
import previewLinks from './migrations/019_preview_links.sql';
import media from './migrations/020_media.sql';
import leftMembers from './migrations/021_left_members.sql';

export const PUBLICATION_MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'publication', sql: publication },
  { number: 2, name: 'pipeline', sql: pipeline },
  { number: 3, name: 'owner told', sql: ownerTold },
  { number: 4, name: 'shown posts', sql: shownPosts },
  { number: 5, name: 'key owners', sql: keyOwners },
  { number: 6, name: 'set aside', sql: setAside },
  { number: 7, name: 'event bodies', sql: eventBodies },
  { number: 8, name: 'member lists', sql: memberLists },
  { number: 9, name: 'following', sql: following },
  { number: 10, name: 'email only', sql: emailOnly },
  { number: 11, name: 'members deleted', sql: membersDeleted },
  { number: 12, name: 'single links', sql: singleLinks },
  { number: 13, name: 'webhook requests', sql: webhookRequests },
  { number: 14, name: 'source problems', sql: sourceProblems },
  { number: 15, name: 'due posts', sql: duePosts },
  { number: 16, name: 'steady clock', sql: steadyClock },
  { number: 17, name: 'bulk jobs', sql: bulkJobs },
  { number: 18, name: 'post revisions', sql: postRevisions },
  { number: 19, name: 'preview links', sql: previewLinks },
  { number: 20, name: 'media', sql: media, isAdditive: true },
  { number: 21, name: 'left members', sql: leftMembers, isAdditive: true },
];

/** Of the newest one; those of a newer program have larger numbers. */
export const NEWEST_MIGRATION = Math.max(...PUBLICATION_MIGRATIONS.map(({ number }) => number));
