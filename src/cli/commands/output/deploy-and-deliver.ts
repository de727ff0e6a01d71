// What a command that built does next: pages for people, targets, the webhooks that the build made due, then
// sizes of pictures.
import { renderPages } from '../../../pages/eleventy/render-pages.ts';
import { type DueReport, deliverDue } from '../../../serve/workspace/deliver-due.ts';
import { type DeployedAfter, deployAfterBuild } from '../../../serve/workspace/deploy-after.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { makeSizesAfter } from '../../../serve/workspace/sizes-after.ts';
import type { Workspace } from '../../../serve/workspace/workspace.ts';

type Uploaded = { readonly deployed: DeployedAfter; readonly deliveries: DueReport };

/** Pages for people that cannot be rendered hold up neither targets nor webhooks. */
export const deployAndDeliver = async (workspace: Workspace, report: Report): Promise<Uploaded> => {
  const pages = await renderPages(workspace.config, { isOnlyRun: true }).catch(
    (error: unknown) => ({ error }),
  );
  const first = await deployAfterBuild(workspace, report);
  const deliveries = await deliverDue(workspace);
  const deployed = await makeSizesAfter(workspace, report, first);
  if ('error' in pages) throw pages.error;
  return { deployed, deliveries };
};
