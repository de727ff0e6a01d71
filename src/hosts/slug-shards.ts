// The files that a worker finds ids by slug in, for hosts that count files: a few for each resource instead
// of one for each record and variant.
import { RESOURCES } from '../paths/endpoints.ts';
import { SHARDS, shardFile, shardFileOf } from './edge/slug-shard.ts';
import type { HostFile, HostSite } from './host.ts';

/** Paths are relative to the output. */
export const shardFiles = (site: Pick<HostSite, 'basePath' | 'segments'>): HostFile[] =>
  RESOURCES.flatMap((resource) => {
    const shards = new Map<string, [string, string][]>(
      Array.from({ length: SHARDS[resource] }, (_, shard) => [shardFile(resource, shard), []]),
    );
    for (const { id, segment } of site.segments(resource)) {
      shards.get(shardFileOf(resource, segment))?.push([segment, id]);
    }
    return [...shards].map(([file, entries]) => ({
      path: `${site.basePath}/content/${file}`.slice(1),
      text: `${JSON.stringify(Object.fromEntries(entries))}\n`,
      isInOutput: true,
    }));
  });
