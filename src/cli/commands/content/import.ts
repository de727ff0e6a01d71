// prepress import: a publication from any source, or a members CSV, into the database, and images into the media folder
// and the output. Images come before the rows that name them, and after the source was read to its end.

import { constants } from 'node:os';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { PrepressError } from '../../../base/errors.ts';
import { counted, shown } from '../../../base/text/counted.ts';
import type { Replacing } from '../../../publication/import/apply/keep-left.ts';
import { tookLittle, warningLine } from '../../../publication/import/import-report.ts';
import {
  type ImportProgress,
  type ImportReport,
  importSource,
} from '../../../publication/import/import-source.ts';
import type { Mapping } from '../../../publication/import/members-csv/foreign-columns.ts';
import {
  countLosses,
  importProgressOf,
  importReportOf,
  planMembersImport,
} from '../../../publication/import/members-csv/members-csv.ts';
import { isMembersCsv } from '../../../publication/import/members-csv/members-csv-file.ts';
import { removeSample } from '../../../publication/import/sample/sample.ts';
import { openSource } from '../../../publication/sources/open-source.ts';
import type { Source } from '../../../publication/sources/source.ts';
import { isAddress } from '../../../publication/sources/source-name.ts';
import { forgetImportProblems } from '../../../publication/store/import/followed.ts';
import { refuseWhileFollowing } from '../../../publication/store/import/following.ts';
import { getJob } from '../../../publication/store/members/bulk-jobs.ts';
import { describeJob } from '../../../publication/store/members/describe-job.ts';
import type { Store } from '../../../publication/store/store.ts';
import { PLACES, throwIfServerDiffers } from '../../../publish/cycle/server-settings.ts';
import { runBulkJobs } from '../../../serve/server/member-jobs/run-bulk-jobs.ts';
import { createDatabaseFor } from '../../../serve/workspace/create-database.ts';
import { type Brought, bringImages, checkImages } from '../../../serve/workspace/import-images.ts';
import {
  findMissingPictures,
  printMissingPictures,
} from '../../../serve/workspace/missing-pictures.ts';
import { broughtNone, printImported, printSkipped } from '../../../serve/workspace/print-import.ts';
import { replacingSample } from '../../../serve/workspace/replacing-sample.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { noteOtherSiteUrl, noteSiteUrl } from '../note-site-url.ts';

export const importFrom: Run = (context) =>
  context.options.accept === true ? acceptUnread(context) : importNamed(context);

const importNamed: Run = async (context) => {
  const { config, report, args, options } = context;
  const [name] = args;
  const { siteUrl } = config;
  const images = options.images as string | undefined;
  const replacing = replacingOf(options);
  const mapping = mappingOf(options.column as readonly string[] | undefined);
  // Found missing now, not after all the rows have been read.
  if (images !== undefined) await checkImages(images);
  else if (name === undefined)
    throw new PrepressError(
      'USAGE',
      'Name what to import: a Ghost database, export, address or members CSV, or --images DIR.',
    );
  const key = (options.key as string | undefined) ?? config.sourceKey;
  const from = name === undefined ? null : await openNamed(name, key);
  await refuseUnusedMapping(from, mapping);
  if (from !== null) await createFor(config, from);
  const workspace = await openWorkspace(config, { fillsEmpty: true });
  try {
    if (from !== null) await refuseWhileFollowing(workspace.store);
    if (images !== undefined) await throwIfServerDiffers(workspace, PLACES);
    const bringer = createBringer({ from: images, siteUrl, workspace, report });
    const bringing = { workspace, report, siteUrl, bring: bringer.bring, replacing, mapping };
    const { result, told, earlier } = from === null ? NOTHING : await importRows(from, bringing);
    if (from === null) await bringer.bring();
    const absent = await findMissingPictures(workspace);
    const brought = bringer.brought();
    noteSiteUrl(report, siteUrl);
    noteOtherSiteUrl(report, options.siteUrl, context);
    printResult(report, { result, told, images: brought, absent });
    report.data({ ...result, earlier, images: brought, missing_pictures: absent });
    return hasFailed(result, brought) ? 1 : 0;
  } finally {
    await from?.source?.close();
    await workspace.close();
  }
};

const hasFailed = (result: ImportReport | null, brought: Brought | null): boolean =>
  (result !== null && tookLittle(result)) || (brought !== null && broughtNone(brought));

const acceptUnread: Run = async ({ config, report, args, options }) => {
  if (args.length > 0 || options.images !== undefined) {
    throw new PrepressError('USAGE', '--accept stands alone: leave out the source and --images.');
  }
  const rows = await withWorkspace(config, ({ store }) => store.write(forgetImportProblems));
  report.print(`Stopped reporting ${counted(rows, 'row')} that the last import could not read.`);
  report.data({ rows });
  return 0;
};

const replacingOf = ({ replace, yes }: Readonly<Record<string, unknown>>): Replacing => {
  if (replace !== true) return 'no';
  return yes === true ? 'sure' : 'asked';
};

/** Throws USAGE. */
const mappingOf = (columns: readonly string[] = []): Mapping =>
  Object.fromEntries(
    columns.map((column) => {
      const at = column.lastIndexOf('=');
      if (at > 0) return [column.slice(0, at).trim(), column.slice(at + 1).trim()];
      throw new PrepressError('USAGE', `--column must be NAME=MEANING, got "${column}".`);
    }),
  );

/** Throws USAGE. */
const refuseUnusedMapping = async (from: Named | null, mapping: Mapping): Promise<void> => {
  if (from?.membersCsv !== undefined || Object.keys(mapping).length === 0) return;
  await from?.source.close();
  throw new PrepressError('USAGE', '--column is only for a members CSV.');
};

const createFor = async (config: Config, { source }: Named): Promise<void> => {
  try {
    await createDatabaseFor(config, source ?? null);
  } catch (error) {
    await source?.close();
    throw error;
  }
};

type Bring = (rows?: Iterable<string>) => Promise<void>;

/** Brings images where a folder of them was named. */
const createBringer = ({
  from,
  ...parts
}: Omit<Parameters<typeof bringImages>[0], 'from'> & { readonly from: string | undefined }): {
  readonly bring: Bring;
  readonly brought: () => Brought | null;
} => {
  let brought: Brought | null = null;
  return {
    bring: async (rows) => {
      if (from !== undefined) brought = await bringImages({ from, ...parts }, rows);
    },
    brought: () => brought,
  };
};

type Bringing = {
  readonly workspace: Workspace;
  readonly report: Report;
  readonly siteUrl: string | undefined;
  readonly bring: Bring;
  readonly replacing: Replacing;
  readonly mapping: Mapping;
};

const importRows = async (
  { source, membersCsv }: Named,
  { workspace, report, siteUrl, bring, replacing, mapping }: Bringing,
): Promise<Imported> => {
  const { store, config, useCases } = workspace;
  const onProgress = ({ share, rows, isWriting }: ImportProgress): void =>
    report.progress({
      done: share,
      total: 1,
      text: `${counted(rows, 'row')} ${isWriting ? 'written' : 'read'}`,
    });
  if (source !== undefined) {
    const given = { ...(siteUrl !== undefined && { siteUrl }), permalinks: config.permalinks };
    const options = { onRead: bring, prepare: removeSample, onProgress, replacing };
    const result = await replacingSample(workspace, () =>
      importSource(store, source, { ...given, ...options, renderer: useCases.formats }),
    );
    return { ...NOTHING, result };
  }
  // What is saved after the losses were counted was not asked about.
  const startedMs = systemClock.now();
  const options = { mapping, clock: { now: () => startedMs } };
  if (replacing === 'asked') await refuseLosses(store, membersCsv, options);
  await bring();
  const replaces = replacing !== 'no';
  const id = await planMembersImport(store, membersCsv, { onProgress, replaces, ...options });
  const earlier: Earlier[] = [];
  let newest = await getJob(store, id);
  const breakOff = (signal: NodeJS.Signals): void => {
    report.print(describeJob(newest));
    report.data({ ...told, bulk_work: [describeJob(newest)] });
    process.exit(128 + constants.signals[signal]);
  };
  // Whoever breaks the command off, which does not end the work, knows by then which lines are refused.
  const told = importReportOf(newest);
  for (const signal of INTERRUPTING) process.once(signal, breakOff);
  report.endProgress();
  printUnread(report, told, null);
  await runBulkJobs(store, (job) => {
    newest = job;
    onProgress(importProgressOf(job));
    if (job.id === id || job.state === 'running') return;
    report.print(`Earlier work: ${describeJob(job)}`);
    const read = job.kind === 'import' && importReportOf(job);
    if (read) printUnread(report, read, null);
    earlier.push({ ...read, work: describeJob(job) });
  });
  for (const signal of INTERRUPTING) process.off(signal, breakOff);
  const job = await getJob(store, id);
  if (job.state === 'done') return { result: importReportOf(job), told, earlier };
  throw new PrepressError('BULK_HALF_DONE', describeJob(job));
};

/** `told`: what was printed before the work began; null: nothing. `earlier`: work of others, which was finished first. */
type Imported = {
  readonly result: ImportReport | null;
  readonly told: ImportReport | null;
  readonly earlier: readonly Earlier[];
};

type Earlier = Partial<ImportReport> & { readonly work: string };

const NOTHING: Imported = { result: null, told: null, earlier: [] };

const INTERRUPTING = ['SIGINT', 'SIGTERM'] as const;

/** Throws MEMBERS_WOULD_LOSE with the numbers of members that the file takes something from. */
const refuseLosses = async (
  store: Store,
  file: string,
  options: { readonly mapping: Mapping; readonly clock: Clock },
): Promise<void> => {
  const { erased, subscribed, lowered } = await countLosses(store, file, options);
  const losses = [
    [subscribed, 'who get no newsletter would get them'],
    [erased, 'would lose a name, a note or a label'],
    [lowered, 'would lose their plan or tier'],
  ] as const;
  const named = losses.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (named.length === 0) return;
  throw new PrepressError('MEMBERS_WOULD_LOSE', `Of the members in ${file}, ${named.join(', ')}.`);
};

type Result = {
  readonly result: ImportReport | null;
  readonly told: ImportReport | null;
  readonly images: Brought | null;
  readonly absent: readonly string[];
};

const printResult = (report: Report, { result, told, images, absent }: Result): void => {
  if (result !== null) printRows(report, result, told);
  if (images !== null) printImported(report, images);
  printMissingPictures(report, absent);
  if (result !== null && !tookLittle(result))
    report.print('Next: npx prepress build. A running server builds by itself.');
};

type Named =
  | { readonly source: Source; readonly membersCsv?: never }
  | { readonly source?: never; readonly membersCsv: string };

/** A CSV is told by its first line, or by its name, so that one with other columns is not called a broken export. */
const openNamed = async (name: string, key: string | undefined): Promise<Named> => {
  const source = await openSource(name, { key });
  const isCsv = !isAddress(name) && (/\.csv$/i.test(name) || (await isMembersCsv(name)));
  return isCsv ? { membersCsv: name } : { source };
};

const printUnread = (
  report: Report,
  { skipped, leftOut, warnings }: ImportReport,
  told: ImportReport | null,
): void => {
  if (told === null) printSkipped(report, { skipped, leftOut });
  for (const warning of warnings)
    if (!told?.warnings.includes(warning)) report.print(warningLine(warning));
};

const printRows = (report: Report, result: ImportReport, told: ImportReport | null): void => {
  const { tables } = result;
  for (const [table, counts] of Object.entries(tables)) {
    const imported = counts.added + counts.changed;
    if (counts.read > 0) {
      report.print(
        `${table}: ${shown(imported)} imported, ${shown(counts.unchanged)} unchanged, ${shown(counts.skipped)} skipped`,
      );
    }
  }
  printUnread(report, result, told);
  if (Object.values(tables).every(({ read }) => read === 0)) {
    report.print(
      'The source holds no rows, so nothing was imported. Check that it is the right file.',
    );
  } else if (tookLittle({ tables })) {
    report.print('Most rows of the source were skipped. Fix what is named above and import again.');
  }
};
