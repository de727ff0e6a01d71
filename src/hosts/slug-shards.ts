// The files that a worker finds ids by slug in, for hosts that count files: a few for each resource instead
// of one for each record and variant.
import { RESOURCES, type Resource } from '../paths/endpoints.ts';
import { shardFile, shardOf } from './edge/slug-shard.ts';
import type { HostFile, HostSite } from './host.ts';

/** So that a file has some hundred slugs and an edit changes one of many. */
const SHARD_SLUGS = 200;
const SHARDS_MAX = 256;

export const shardCounts = (site: Pick<HostSite, 'segments'>): Record<Resource, number> =>
  Object.fromEntries(
    RESOURCES.map((resource) => [
      resource,
      site.segments(resource).length <= SHARD_SLUGS ? 1 : SHARDS_MAX,
    ]),
  ) as Record<Resource, number>;

/** Paths are relative to the output. */
export const shardFiles = (site: HostSite): HostFile[] => {
  const counts = shardCounts(site);
  return RESOURCES.flatMap((resource) => {
    const shards = Array.from({ length: counts[resource] }, (): [string, string][] => []);
    for (const { id, segment } of site.segments(resource)) {
      shards[shardOf(segment, counts[resource])]?.push([segment, id]);
    }
    return shards.map((entries, at) => ({
      path: `${site.basePath}/content/${shardFile(resource, at)}`.slice(1),
      text: `${JSON.stringify(Object.fromEntries(entries))}\n`,
      isInOutput: true,
    }));
  });
};
