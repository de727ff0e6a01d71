// Makes the sizes of pictures after a command has built and deployed, unless a server runs on the same database: that one does.
import { counted } from '../../base/text/counted.ts';
import { isSomebodyPresent } from '../../publication/store/locks/deliverer-presence.ts';
import {
  describeSizes,
  hasSharp,
  makeSizes,
  NO_SHARP,
  waitingLine,
} from '../../publish/sizes/make-sizes.ts';
import { type DeployedAfter, deployAfterBuild } from './deploy-after.ts';
import type { Report } from './report.ts';
import type { Workspace } from './workspace.ts';

/** Returns what became of the deploys. */
export const makeSizesAfter = async (
  workspace: Workspace,
  report: Report,
  deployed: DeployedAfter,
): Promise<DeployedAfter> => {
  const waiting = describeSizes(workspace).waiting;
  if (waiting === 0 || isSomebodyPresent(workspace.paths.delivererLock)) return deployed;
  if (!hasSharp()) report.print(`Warning: ${NO_SHARP}`);
  const { pictures, placed, problem } = await makeSizes(workspace, {
    onProgress: ({ done, total }) =>
      report.progress({ done, total, text: `${counted(done, 'picture')} resized` }),
  });
  report.endProgress();
  if (problem !== null) report.print(`Warning: ${waitingLine(problem)}`);
  if (placed > 0)
    report.print(`Resized ${counted(pictures, 'picture')} into ${counted(placed, 'file')}.`);
  return placed === 0 ? deployed : deployAfterBuild(workspace, report);
};
