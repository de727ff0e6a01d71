// Which generation a server's tree has where several servers of one publication count theirs.
import type { PublishedPosition } from '../../publication/store/log/publishing.ts';
import type { BuildReport } from '../build/run-build.ts';
import type { PublishDeps } from './publish-deps.ts';

/**
 * Another server may have announced more generations than this one made: what this one built since, and now announces in
 * its place, is a newer one.
 */
export const countOn = (
  { manifest, lastChange }: PublishDeps,
  built: BuildReport,
  published: PublishedPosition | null,
): BuildReport => {
  if (lastChange === undefined || published === null) return built;
  const { position, files } = built;
  // A log that was made anew counts from one.
  if (files.written + files.removed > 0 || position.seq < lastChange.seq) {
    lastChange.seq = position.seq;
  }
  const isLeft = published.epoch === position.epoch && published.seq < lastChange.seq;
  if (!isLeft || built.generation > published.generation) return built;
  const generation = published.generation + 1;
  manifest.moveTo(position, generation);
  return { ...built, generation };
};
