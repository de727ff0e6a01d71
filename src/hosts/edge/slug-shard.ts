// Where a record's id is found by its slug when slugs have no files of their own: in one of some small files,
// by a hash of the segment, so that a request reads little.
import type { Resource } from '../../paths/endpoints.ts';

/** Folder of these files in a resource's; no id and no list has this name. */
export const SHARD_FOLDER = 'by-slug';

/** How many files; fixed, so that a worker finds its way in files that were written after it. */
export const SHARDS: Readonly<Record<Resource, number>> = {
  posts: 64,
  pages: 16,
  tags: 16,
  authors: 16,
};

/** The file of a segment, relative to the content folder. */
export const shardFileOf = (resource: Resource, segment: string): string =>
  shardFile(resource, hashOf(segment) % SHARDS[resource]);

export const shardFile = (resource: Resource, shard: number): string =>
  `${resource}/${SHARD_FOLDER}/${shard.toString(16).padStart(2, '0')}.json`;

/** FNV-1a over UTF-16 code units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
};
