// prepress build.

import { counted, shown } from '../../../base/text/counted.ts';
import { asksForPages } from '../../../pages/eleventy/asks-for-pages.ts';
import { preloadEleventy } from '../../../pages/eleventy/render-pages.ts';
import { createAfterBuild } from '../../../publish/after-build/after-build.ts';
import { type PublishReport, publishOnce } from '../../../publish/cycle/publish-once.ts';
import { deployAfterBuild, throwIfNotDeployed } from '../../../serve/workspace/deploy-after.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { makeSizesAfter } from '../../../serve/workspace/sizes-after.ts';
import { openWorkspace } from '../../../serve/workspace/workspace.ts';
import type { DataPaths } from '../../../settings/data-paths.ts';
import type { Run } from '../command.ts';
import { renderAfterBuild } from './deploy-and-deliver.ts';
import { printReload, printRewritten } from './hosts.ts';
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
          text: `${counted(records, 'record')}, ${counted(files, 'file')}`,
        });
      },
    });
    printBuilt(report, result, workspace.paths);
    listPagesLines(workspace).forEach(report.print);
    const failure = after.failure();
    if (failure !== null) throw failure;
    const hosts = after.hosts();
    for (const host of hosts) printRewritten(report, host);
    printReload(report, after.toReload());
    const pages = await renderAfterBuild(workspace, report, { isForced: options.full === true });
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

export const printBuilt = (
  report: Report,
  result: PublishReport,
  { contentFolder }: Pick<DataPaths, 'contentFolder'>,
): void => {
  const { kind, reason, files, milliseconds, records, generation } = result;
  const why = reason === null ? '' : ` (${reason})`;
  report.print(
    files.written + files.removed === 0
      ? `Already up to date: generation ${generation} (${milliseconds} ms).`
      : `Built generation ${generation}, ${kind}${why}: ${counted(records, 'record')}, ${counted(files.written, 'file')} written to ${contentFolder}, ${shown(files.removed)} removed in ${milliseconds} ms.`,
  );
  printMedia(report, result.media);
  for (const warning of result.warnings) report.print(`Warning: ${warning}`);
  if (result.queued > 0)
    report.print(`Queued ${counted(result.queued, 'webhook delivery', 'webhook deliveries')}.`);
};

const printMedia = (report: Report, media: PublishReport['media']): void => {
  if (media === null) report.print('Media: another program is placing the files.');
  else if (media.placed + media.removed > 0) {
    report.print(
      `Media: ${counted(media.placed, 'file')} placed, ${shown(media.removed)} removed.`,
    );
  }
};
