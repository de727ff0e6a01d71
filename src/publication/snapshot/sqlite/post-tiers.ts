// Ids of the tiers that posts and pages are linked to, in their order, for Ghost's shape.

import type { Preparing } from '../../../base/sqlite/driver.ts';
import type { PostRow } from '../../tables/rows.ts';

/** Few posts ask for tiers; the visibilities of the others are these. */
const WITHOUT_TIERS: readonly unknown[] = ['public', 'members', 'paid'];

export const readPostTiers = (
  statements: Preparing,
): ((posts: readonly PostRow[]) => ReadonlyMap<string, readonly string[]>) => {
  const statement = statements
    .prepare(
      `SELECT j.value, (SELECT json_group_array(l.tier_id ORDER BY l.sort_order, l.id) FROM posts_tiers l
         WHERE l.post_id = j.value AND typeof(l.tier_id) = 'text') FROM json_each(?) j`,
    )
    .raw();
  return (posts) => {
    const asking = posts.filter(({ visibility }) => !WITHOUT_TIERS.includes(visibility));
    if (asking.length === 0) return new Map();
    const links = statement.all(JSON.stringify(asking.map(({ id }) => id))) as [string, string][];
    // SQLite made the list, of texts.
    return new Map(links.map(([id, tiers]) => [id, JSON.parse(tiers) as string[]]));
  };
};
