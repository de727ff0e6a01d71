// What is known of each target of the setting `deploy`, for `status` and GET /admin/state/.
import { toIsoTime } from '../../base/time.ts';
import { tryBuildLock } from '../../publication/store/locks/build-lock.ts';
import type { DataPaths } from '../../settings/data-paths.ts';
import { shownTarget } from '../../settings/deploy-targets.ts';
import type { Config } from '../../settings/settings.ts';
import { lockFileOf, readTargetState, stateFileOf } from '../deploy/target-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { deployIdOf, deploysFolderOf } from './deploy-destinations.ts';

export type ShownDeploy = {
  readonly target: string;
  /** `there`: it has the newest build; `failing`: the last try failed; `carrying`; `waiting`. */
  readonly state: 'there' | 'failing' | 'carrying' | 'waiting';
  /** The newest build that it has whole; null: not known. */
  readonly generation: number | null;
  /** The newest build of the output. */
  readonly newest: number;
  readonly carriedAt: string | null;
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastError: { readonly code: string; readonly message: string } | null;
  readonly nextTryAt: string | null;
};

type Deps = {
  readonly config: Config;
  readonly paths: DataPaths;
  readonly manifest: Pick<Manifest, 'generation'>;
};

export const describeDeploys = ({ config, paths, manifest }: Deps): ShownDeploy[] => {
  const newest = manifest.generation();
  const folder = deploysFolderOf(paths);
  return config.deploy.map((setting): ShownDeploy => {
    const id = deployIdOf(setting);
    const state = readTargetState(stateFileOf(folder, id), shownTarget(setting));
    const { target, generation, failures, lastError } = state;
    const isCarrying = state.isUnderWay && isLocked(lockFileOf(folder, id));
    const isThere = generation === newest && !state.isUnderWay;
    return {
      target,
      state: failures > 0 ? 'failing' : isCarrying ? 'carrying' : isThere ? 'there' : 'waiting',
      generation,
      newest,
      carriedAt: toIsoTime(state.carriedAt),
      failures,
      failingSince: toIsoTime(state.failingSince),
      lastError,
      nextTryAt: toIsoTime(state.nextTryAt),
    };
  });
};

/** A run that was killed holds no lock. */
const isLocked = (path: string): boolean => {
  const lock = tryBuildLock(path);
  lock?.release();
  return lock === null;
};
