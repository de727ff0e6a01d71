// The output as deploys see it: at rest while the lock of builds is held, with the number of its build and what builds
// changed since an earlier one.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { releasing } from '../../base/closing.ts';
import { PrepressError } from '../../base/errors.ts';
import { SUMMARY_FILE } from '../../content/paths/files.ts';
import { blobFile } from '../../content/tree/names.ts';
import { acquireBuildLock } from '../../publication/store/locks/build-lock.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { openJournal } from './journal.ts';

type UsedOfManifest = 'blobNames' | 'generation' | 'hashOf' | 'reopenIfReplaced' | 'state';

export type OutputSource = {
  readonly output: string;
  /** Path of the content folder in the output, with a slash at its end. */
  readonly content: string;
  readonly buildLock: string;
  /** The folder `deploys` beside the database. */
  readonly folder: string;
  /** Null: nobody knows what was built here. */
  readonly manifest: Pick<Manifest, UsedOfManifest> | null;
  readonly clock: Clock;
};

/** The output between two builds. */
export type OutputAtRest = {
  readonly generation: number;
  /** Id of the journal's entry of that build; null: no build of ours wrote the output. */
  readonly entry: string | null;
  /** Paths that changed since the build of that entry; null when that is not known. */
  readonly since: (entry: string) => readonly string[] | null;
  /** True of a file that the newest build has. */
  readonly has: (path: string) => boolean;
  readonly blobs: () => readonly string[];
};

const LOCK_TIMEOUT_MS = 10 * 60_000;

/**
 * No build begins before `work` ends. Throws VALIDATION where there is no finished tree, which would empty the target,
 * and BUILD_BUSY where a build broke off or another one takes too long.
 */
export const withOutputAtRest = async <T>(
  source: OutputSource,
  signal: AbortSignal | undefined,
  work: (rest: OutputAtRest) => Promise<T>,
): Promise<T> => {
  const { manifest, content } = source;
  if (manifest === null) return work(unknownOutput(source));
  const lock = await acquireBuildLock(source.buildLock, LOCK_TIMEOUT_MS, signal);
  return releasing(lock, async () => {
    throwIfUnbuilt(source);
    manifest.reopenIfReplaced();
    const state = manifest.state();
    if (state === null) {
      throw new PrepressError('BUILD_BUSY', 'The last build of the output was interrupted.', {
        hint: 'Run "prepress build" to repair it.',
      });
    }
    if (state.root !== realpathSync(join(source.output, content))) {
      return work(unknownOutput(source));
    }
    const journal = openJournal(source.folder);
    const { generation } = state;
    const { id } = await journal.head(generation);
    return work({
      generation,
      entry: id,
      since: (entry) => journal.since(entry, generation),
      has: (path) =>
        path.startsWith(content) && manifest.hashOf(path.slice(content.length)) !== undefined,
      blobs: () => manifest.blobNames().map((name) => content + blobFile(name)),
    });
  });
};

/** An output that somebody else brought here, or that was built with other settings. */
const unknownOutput = (source: OutputSource): OutputAtRest => {
  throwIfUnbuilt(source);
  return { generation: 0, entry: null, since: () => null, has: () => false, blobs: () => [] };
};

const throwIfUnbuilt = ({ output, content }: OutputSource): void => {
  if (existsSync(join(output, content, SUMMARY_FILE))) return;
  throw new PrepressError(
    'VALIDATION',
    `The output has no ${content}${SUMMARY_FILE}, so no build was finished in it: run "prepress build" first.`,
  );
};
