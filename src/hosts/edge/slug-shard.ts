// Where a record's id is found by its slug when slugs have no files of their own: in one of some small files,
// by a hash of the segment, so that a request reads little.

/** Folder of these files in a resource's; no id and no list has this name. */
export const SHARD_FOLDER = 'by-slug';

/** FNV-1a over UTF-16 code units. */
export const shardOf = (segment: string, shards: number): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < segment.length; at += 1) {
    hash = Math.imul(hash ^ segment.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % shards;
};

export const shardFile = (resource: string, shard: number): string =>
  `${resource}/${SHARD_FOLDER}/${shard.toString(16).padStart(2, '0')}.json`;
