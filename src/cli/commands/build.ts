// prepress build.

import { asksForPages } from '../../pages/eleventy/asks-for-pages.ts';
import {
  preloadEleventy,
  type RenderReport,
  renderPages,
} from '../../pages/eleventy/render-pages.ts';
import { withoutPage } from '../../pages/eleventy/without-page.ts';
import { createAfterBuild } from '../../publish/after-build/after-build.ts';
import { type PublishReport, publishOnce } from '../../publish/cycle/publish-once.ts';
import { deployAfterBuild, throwIfNotDeployed } from '../../serve/workspace/deploy-after.ts';
import { type Report, shown } from '../../serve/workspace/report.ts';
import { makeSizesAfter } from '../../serve/workspace/sizes-after.ts';
import { openWorkspace } from '../../serve/workspace/workspace.ts';
import type { Run } from './command.ts';
import { printReload, printWritten } from './hosts.ts';
import { listPagesLines } from './list-pages-line.ts';

export const build: Run = async ({ config, report, options }) => {
  const workspace = await openWorkspace(config, { mayLead: true });
  const after = createAfterBuild(workspace);
  try {
    const hasPages = await asksForPages(config, workspace.store);
    const preload = hasPages ? preloadEleventy : () => undefined;
    const result = await publishOnce(workspace, {
      isFull: options.full === true,
      isForgetting: options.forget === true,
      isStrict: options.strict === true,
      isAlone: true,
      onBuilt: after.onBuilt,
      // The content is about to change, so the pages will have to be rendered.
      onPlacing: preload,
      onProgress: ({ records, total, files }) => {
        // By the end there is nothing left to be loaded beside.
        if (records > total / 2) preload();
        report.progress({
          done: records,
          total,
          text: `${shown(records)} records, ${shown(files)} files`,
        });
      },
    });
    printBuilt(report, result);
    listPagesLines(workspace).forEach(report.print);
    const failure = after.failure();
    if (failure !== null) throw failure;
    const hosts = after.hosts();
    for (const host of hosts) printWritten(report, host);
    printReload(report, after.toReload());
    const pages = await renderPages(config, {
      isForced: options.full === true,
      isOnlyRun: true,
    });
    printPages(report, pages);
    const first = await deployAfterBuild(workspace, report);
    const deployed = await makeSizesAfter(workspace, report, first);
    throwIfNotDeployed(deployed);
    const deploys = deployed.targets;
    report.data({ ...result, hosts, toReload: after.toReload(), pages, deploys });
  } finally {
    await workspace.close();
  }
  return 0;
};

export const printBuilt = (report: Report, result: PublishReport): void => {
  const { kind, reason, files, milliseconds, records, generation } = result;
  const why = reason === null ? '' : ` (${reason})`;
  report.print(
    files.written + files.removed === 0
      ? `Nothing to change: generation ${generation} stands (${milliseconds} ms).`
      : `Built generation ${generation}, ${kind}${why}: ${records} records, ${files.written} files written, ${files.removed} removed in ${milliseconds} ms.`,
  );
  printMedia(report, result.media);
  for (const warning of result.warnings) report.print(`Warning: ${warning}`);
  if (result.queued > 0) report.print(`${result.queued} webhook deliveries queued.`);
};

const printMedia = (report: Report, media: PublishReport['media']): void => {
  if (media === null) report.print('Media: another program places the files now.');
  else if (media.placed + media.removed > 0) {
    report.print(`Media: ${media.placed} files placed, ${media.removed} removed.`);
  }
};

const printPages = (report: Report, { written, removed, blocked, absent }: RenderReport): void => {
  if (written.length + removed.length > 0) {
    report.print(`Pages: ${written.length} written, ${removed.length} removed.`);
  }
  for (const name of blocked) {
    report.print(
      `Warning: ${name} was put there by someone else; the page for it was not written.`,
    );
  }
  for (const url of absent) report.print(`Warning: ${withoutPage(url)}`);
};
