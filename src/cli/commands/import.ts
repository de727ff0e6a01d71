// prepress import: a publication from any source, or a members CSV, into the database, and images into the media folder
// and the output. Images come before the rows that name them, and after the source was read to its end.
import { join } from 'node:path';
import { PrepressError } from '../../base/errors.ts';
import {
  type ImportProgress,
  type ImportReport,
  importSource,
} from '../../importers/import-source.ts';
import { importMembersCsv } from '../../importers/members-csv.ts';
import { isMembersCsv } from '../../importers/members-csv-file.ts';
import { removeSample } from '../../importers/sample.ts';
import { PLACES, throwIfServerDiffers } from '../../publisher/server-settings.ts';
import { isGhostAddress } from '../../sources/ghost-address/address.ts';
import { openSource } from '../../sources/open-source.ts';
import type { Source } from '../../sources/source.ts';
import { refuseWhileFollowing } from '../../store/following.ts';
import type { Run } from '../command.ts';
import { createDatabase } from '../create-database.ts';
import { type Report, shown } from '../report.ts';
import { sayBrought, sayFirst } from '../say-brought.ts';
import { openWorkspace } from '../workspace.ts';
import { type Brought, bringImages, checkImages } from './import-images.ts';

export const importFrom: Run = async ({ config, report, args, options }) => {
  const [name] = args;
  const siteUrl = options.siteUrl as string | undefined;
  const images = options.images as string | undefined;
  // Found missing now, not after all the rows have been read.
  if (images !== undefined) await checkImages(images);
  else if (name === undefined) throw new PrepressError('USAGE', 'Name a source, or --images DIR.');
  const key = (options.key as string | undefined) ?? config.sourceKey;
  const from = name === undefined ? null : await openNamed(name, key);
  if (from !== null) await createDatabase(config, { isEmpty: true });
  const workspace = await openWorkspace(config);
  try {
    if (from !== null) await refuseWhileFollowing(workspace.store.reader);
    if (images !== undefined) await throwIfServerDiffers(workspace, PLACES);
    const brought: { images: Brought | null } = { images: null };
    const bring = async (rows?: Iterable<string>): Promise<void> => {
      if (images === undefined) return;
      brought.images = await bringImages({ from: images, siteUrl, workspace, report }, rows);
    };
    if (from === null) await bring();
    const onProgress = ({ share, rows, isWriting }: ImportProgress): void =>
      report.progress({
        done: share,
        total: 1,
        text: `${shown(rows)} rows ${isWriting ? 'written' : 'read'}`,
      });
    const importRows = async ({ source, membersCsv }: Named): Promise<ImportReport> => {
      if (source !== undefined) {
        return importSource(workspace.store, source, {
          ...(siteUrl !== undefined && { siteUrl }),
          onRead: bring,
          prepare: removeSample,
          onProgress,
        });
      }
      await bring();
      return importMembersCsv(workspace.store, membersCsv, { onProgress });
    };
    const result = from === null ? null : await importRows(from);
    if (result !== null) sayImported(report, result);
    if (brought.images !== null) sayBrought(report, brought.images);
    if (result !== null) report.say('Next: prepress build. A running server builds by itself.');
    report.data({ ...result, images: brought.images });
  } finally {
    await from?.source?.close();
    await workspace.close();
  }
  return 0;
};

type Named =
  | { readonly source: Source; readonly membersCsv?: never }
  | { readonly source?: never; readonly membersCsv: string };

/** A CSV is told by its first line; everything else is a source. */
const openNamed = async (name: string, key: string | undefined): Promise<Named> => {
  const source = await openSource(name, { key });
  const isFile = source.name === name && !isGhostAddress(name);
  return isFile && (await isMembersCsv(name)) ? { membersCsv: name } : { source };
};

const sayImported = (report: Report, { tables, skipped, warnings }: ImportReport): void => {
  for (const [table, { read, added, changed, unchanged }] of Object.entries(tables)) {
    if (read > 0) {
      report.say(
        `${table}: ${read} read, ${added} added, ${changed} changed, ${unchanged} as before`,
      );
    }
  }
  if (Object.values(tables).every(({ read }) => read === 0)) {
    report.say('The source holds no rows.');
  }
  sayFirst(
    report,
    skipped,
    ({ table, id, field, reason }) => `Skipped ${join(table, id)}: ${field} ${reason}`,
  );
  for (const warning of warnings) report.say(`Warning: ${warning}`);
};
