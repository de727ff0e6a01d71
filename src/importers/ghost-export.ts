// Imports a Ghost JSON export. First the whole file is read into a stage of its own, which finds every
// fault of the file; then one transaction writes what differs. So the publication is changed whole or
// not at all, the file may be of any size, and importing it again changes nothing.
import { type Clock, systemClock } from '../base/clock.ts';
import { createId } from '../base/ids.ts';
import { type Column, deferReferences, describeTables, findRows } from '../store/import-rows.ts';
import { openStage, type Stage } from '../store/sqlite/import-stage.ts';
import type { Store, Writer } from '../store/store.ts';
import { type Aliases, createAliases } from './aliases.ts';
import { type ApplyContext, applyTable } from './apply-table.ts';
import { readExportFile } from './export-file.ts';
import { createIntake } from './ghost-intake.ts';
import { GHOST_TABLES } from './ghost-tables.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import { keepMailed } from './keep-mailed.ts';
import { replaceLinks } from './replace-links.ts';
import { getSiteUrl, storeSiteUrl } from './site-url.ts';

export type { ImportReport } from './import-report.ts';

export type ImportProgress = {
  /** Reading the file counts for the first part, writing its rows for the rest. */
  readonly share: number;
  readonly rows: number;
  readonly isWriting: boolean;
};

/** What reading takes of the whole time of a first import. */
const READING_SHARE = 0.5;

type ImportOptions = {
  /** Address of the site, absolute; stored as the setting `url`. Throws CONFIG_INVALID. */
  readonly siteUrl?: string;
  /** Told now and then how far the import is. */
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly clock?: Clock;
  /** Run when the file was found whole, before anything is written. */
  readonly onRead?: () => Promise<void>;
  /** Run first in the transaction that writes. */
  readonly prepare?: (writer: Writer) => Promise<void>;
};

/**
 * Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or IMPORT_CUT_OFF, each with the publication as it was.
 * Rows that cannot be taken do not fail the import: the report lists them.
 */
export const importGhostExport = async (
  store: Store,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> => {
  const siteUrl = options.siteUrl === undefined ? null : getSiteUrl(options.siteUrl);
  const nowMs = (options.clock ?? systemClock).now();
  const columns = await describeTables(store.reader);
  const report = createReport();
  const aliases = createAliases();
  const stage = openStage();
  try {
    const source: Source = { columns, report, aliases, stage, nowMs, siteUrl };
    const { roles, rows } = await stageFile(source, file, options.onProgress);
    const onWritten = tellWritten(rows, options.onProgress);
    await options.onRead?.();
    await store.write(
      async (writer) => {
        await options.prepare?.(writer);
        await apply({ writer, stage, report, aliases, columns, roles, nowMs, onWritten }, source);
      },
      { action: `import:${createId(nowMs)}` },
    );
  } finally {
    stage.close();
  }
  return report.finish();
};

type Source = {
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  readonly report: ReportBuilder;
  readonly aliases: Aliases;
  readonly stage: Stage;
  readonly nowMs: number;
  readonly siteUrl: string | null;
};

const stageFile = async (
  source: Source,
  file: string,
  onProgress: ImportOptions['onProgress'],
): Promise<{ readonly roles: ReadonlyMap<string, string>; readonly rows: number }> => {
  const intake = createIntake({ ...source, hasSiteUrl: source.siteUrl !== null });
  let rows = 0;
  await readExportFile(file, {
    onTable: intake.declare,
    onRow: (table, row) => {
      intake.take(table, row);
      rows += 1;
    },
    onRead: (bytes, totalBytes) =>
      onProgress?.({ share: READING_SHARE * (bytes / totalBytes), rows, isWriting: false }),
  });
  return { roles: intake.finish(), rows };
};

const tellWritten = (
  total: number,
  onProgress: ImportOptions['onProgress'],
): ApplyContext['onWritten'] => {
  let written = 0;
  return (rows) => {
    written = Math.min(written + rows, total);
    const share = READING_SHARE + (1 - READING_SHARE) * (written / total);
    onProgress?.({ share, rows: written, isWriting: true });
  };
};

const apply = async (context: ApplyContext, source: Source): Promise<void> => {
  await deferReferences(context.writer);
  for (const facts of GHOST_TABLES) {
    await applyTable(context, facts);
    await replaceLinks(context, facts);
  }
  await keepMailed(context);
  await applySiteUrl(context.writer, source);
};

const applySiteUrl = async (writer: Writer, { siteUrl, report, nowMs }: Source): Promise<void> => {
  if (siteUrl !== null) return storeSiteUrl(writer, siteUrl, nowMs);
  const [stored] = await findRows(writer, { table: 'settings', by: 'key', values: ['url'] });
  if (stored?.value) return;
  report.warn('The address of the site is not known: import again with --site-url.');
};
