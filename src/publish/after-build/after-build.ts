// What a cycle of the publisher leaves for hosts, before its build is announced: a receiver of a webhook finds the
// change wherever the output is served. When a cycle breaks off here nothing was announced, and the next cycle does it
// again.
import type { PrepressError } from '../../base/errors.ts';
import { asDiskError } from '../../base/files/disk-error.ts';
import type { BuildReport } from '../build/run-build.ts';
import type { PublishDeps } from '../cycle/publish-deps.ts';
import { type WrittenHosts, writeAfterBuild } from './write-after-build.ts';
import { type HostReport, isHostFault } from './write-hosts.ts';

export type AfterBuild = {
  /**
   * For the publisher. Throws OUTPUT_UNWRITABLE and BUILD_BUSY; then nothing is announced. A host whose files a
   * person has to make possible first holds up no webhook.
   */
  readonly onBuilt: (report: BuildReport) => Promise<void>;
  readonly hosts: () => readonly HostReport[];
  /** Hosts that are to be reloaded, because what was written last changed their rules. */
  readonly toReload: () => readonly string[];
  /** Why files of a host are not up to date; null when they are. */
  readonly failure: () => PrepressError | null;
};

export const createAfterBuild = (deps: PublishDeps): AfterBuild => {
  let written: WrittenHosts = { hosts: [], toReload: [] };
  let failure: PrepressError | null = null;
  let writtenGeneration: number | null = null;
  return {
    onBuilt: async (report) => {
      const hasChanged = report.files.written + report.files.removed > 0;
      if (!hasChanged && report.generation === writtenGeneration) return;
      writtenGeneration = null;
      failure = null;
      written = { hosts: [], toReload: [] };
      try {
        written = await writeAfterBuild(deps, report);
        writtenGeneration = report.generation;
      } catch (error) {
        if (!isHostFault(error)) throw asDiskError(error, UNWRITABLE);
        failure = error;
      }
    },
    hosts: () => written.hosts,
    toReload: () => written.toReload,
    failure: () => failure,
  };
};

const UNWRITABLE = {
  code: 'OUTPUT_UNWRITABLE',
  begins: 'What hosts read cannot be written: ',
  place: 'a file',
} as const;
