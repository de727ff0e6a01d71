// What a command that built does next: pages for people, targets, the webhooks that the build made due, then
// sizes of pictures.
import { shown } from '../../../base/text/counted.ts';
import { type RenderReport, renderPages } from '../../../pages/eleventy/render-pages.ts';
import { rewriteHosts } from '../../../publish/after-build/write-after-build.ts';
import { type DueReport, deliverDue } from '../../../serve/workspace/deliver-due.ts';
import { type DeployedAfter, deployAfterBuild } from '../../../serve/workspace/deploy-after.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { makeSizesAfter } from '../../../serve/workspace/sizes-after.ts';
import type { Workspace } from '../../../serve/workspace/workspace.ts';

type Uploaded = {
  readonly pages: RenderReport;
  readonly deployed: DeployedAfter;
  readonly deliveries: DueReport;
};

/** Pages for people that cannot be rendered hold up neither targets nor webhooks. */
export const deployAndDeliver = async (workspace: Workspace, report: Report): Promise<Uploaded> => {
  const pages = await renderAfterBuild(workspace, report).catch((error: unknown) => ({ error }));
  const first = await deployAfterBuild(workspace, report);
  const deliveries = await deliverDue(workspace);
  const deployed = await makeSizesAfter(workspace, report, first);
  if ('error' in pages) throw pages.error;
  return { pages, deployed, deliveries };
};

export const renderAfterBuild = async (
  workspace: Workspace,
  report: Report,
  { isForced = false }: { readonly isForced?: boolean } = {},
): Promise<RenderReport> => {
  const pages = await renderPages(workspace.config, { isForced, isOnlyRun: true });
  const { written, removed, warnings } = pages;
  // A copy for a host takes its place.
  if (removed.includes('404.html')) await rewriteHosts(workspace);
  if (written.length + removed.length > 0) {
    report.print(`Pages: ${shown(written.length)} written, ${shown(removed.length)} removed.`);
  }
  for (const warning of warnings) report.print(`Warning: ${warning}`);
  return pages;
};
