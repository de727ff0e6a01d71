// Tries what is due once, unless a server or `watch` runs on the same database: that one delivers, by its
// own settings.
import { closing } from '../../base/closing.ts';
import { isSomebodyPresent } from '../../publication/store/locks/deliverer-presence.ts';
import type { DrainReport } from '../../publish/webhooks/sending/deliverer.ts';
import type { Workspace } from './workspace.ts';

export type DueReport = DrainReport & {
  /** True: a program that runs delivers; nothing was tried here. */
  readonly leftToServer: boolean;
};

export const deliverDue = async (workspace: Workspace): Promise<DueReport> => {
  if (isSomebodyPresent(workspace.paths.delivererLock)) {
    return { tried: 0, succeeded: 0, failed: 0, leftToServer: true };
  }
  return closing(workspace.createDeliverer(), async (deliverer) => ({
    ...(await deliverer.drainOnce()),
    leftToServer: false,
  }));
};
