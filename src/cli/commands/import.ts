// prepress import: a Ghost JSON export into the database, and its images into the output.
import { join } from 'node:path';
import { type ImportReport, importGhostExport } from '../../importers/ghost-export.ts';
import { type CopyReport, copyImages, findImages } from '../../importers/images.ts';
import { removeSample } from '../../importers/sample.ts';
import { acquireBuildLock } from '../../store/sqlite/build-lock.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';
import { type Report, shown } from '../report.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

export const importFile: Run = async ({ config, report, args, options }) => {
  const [file = ''] = args;
  const siteUrl = options.siteUrl as string | undefined;
  const images = options.images as string | undefined;
  // Found missing now, not after all the rows have been read.
  if (images !== undefined) await findImages(images);
  await createDatabase(config, { isEmpty: true });
  const workspace = await openWorkspace(config);
  try {
    const result = await importGhostExport(workspace.store, file, {
      ...(siteUrl !== undefined && { siteUrl }),
      prepare: removeSample,
      onProgress: ({ rows, bytes, totalBytes }) =>
        report.progress({ done: bytes, total: totalBytes, text: `${shown(rows)} rows read` }),
    });
    const copied = images === undefined ? null : await copyAlone(images, workspace);
    sayImported(report, result);
    if (copied !== null) report.say(`Copied ${copied.copied} images and files.`);
    report.say('Next: prepress build. A running server builds by itself.');
    report.data({ ...result, images: copied });
  } finally {
    await workspace.close();
  }
  return 0;
};

const LOCK_TIMEOUT_MS = 60 * 60_000;

/** Another import that copies images ends first: each removes what it finds half made. */
const copyAlone = async (images: string, { paths }: Workspace): Promise<CopyReport> => {
  const lock = await acquireBuildLock(paths.imagesLock, LOCK_TIMEOUT_MS);
  try {
    return await copyImages(images, paths.contentFolder);
  } finally {
    lock.release();
  }
};

const SKIPPED_SHOWN_MAX = 50;

const sayImported = (report: Report, { tables, skipped, warnings }: ImportReport): void => {
  for (const [table, { read, added, changed, unchanged }] of Object.entries(tables)) {
    if (read > 0) {
      report.say(
        `${table}: ${read} read, ${added} added, ${changed} changed, ${unchanged} as before`,
      );
    }
  }
  for (const { table, id, field, reason } of skipped.slice(0, SKIPPED_SHOWN_MAX)) {
    report.say(`Skipped ${join(table, id)}: ${field} ${reason}`);
  }
  if (skipped.length > SKIPPED_SHOWN_MAX) {
    report.say(
      `... and ${skipped.length - SKIPPED_SHOWN_MAX} more skipped rows; --json lists all.`,
    );
  }
  for (const warning of warnings) report.say(`Warning: ${warning}`);
};
