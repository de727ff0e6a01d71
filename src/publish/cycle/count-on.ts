// Which generation a server's tree has where several servers of one publication count theirs.
import type { PublishedPosition } from '../../publication/store/log/publishing.ts';
import type { BuildReport } from '../build/run-build.ts';
import type { PublishDeps } from './publish-deps.ts';

/** Of a change: there was none. */
const NONE = -1;

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
  if (files.written + files.removed > 0) lastChange.seq = position.seq;
  // A log that was made anew counts from one.
  else if (position.seq < lastChange.seq) lastChange.seq = NONE;
  const isLeft = published.epoch === position.epoch && published.seq < lastChange.seq;
  if (!isLeft || built.generation > published.generation) return built;
  const generation = published.generation + 1;
  manifest.moveTo(position, generation);
  return { ...built, generation };
};
