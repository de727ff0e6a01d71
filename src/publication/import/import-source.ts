// Imports a publication from any source. First all of it is read into a stage of its own, which finds every
// fault of the source; then one transaction writes what differs. So the publication is changed whole or
// not at all, the source may be of any size, and importing it again changes nothing.
import { type Clock, systemClock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import type { Source, SourceState } from '../sources/source.ts';
import { forgetImportProblems, noteImportProblems } from '../store/import/followed.ts';
import {
  type Column,
  deferReferences,
  describeTables,
  findRows,
} from '../store/import/import-rows.ts';
import { openStage, type Stage } from '../store/import/import-stage.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Aliases, createAliases } from './apply/aliases.ts';
import { type ApplyContext, beginRun } from './apply/apply-context.ts';
import { hidePosts } from './apply/apply-difference.ts';
import { applyTable } from './apply/apply-table.ts';
import { keepEmailOnly } from './apply/email-only.ts';
import { keepConsent } from './apply/keep-consent.ts';
import { keepLeft, type Replacing } from './apply/keep-left.ts';
import { replaceLinks } from './apply/replace-links.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import { createIntake } from './intake/ghost-intake.ts';
import { GHOST_TABLES, type TableFacts, wantedTables } from './intake/ghost-tables.ts';
import { type BodyRenderer, renderBodies } from './intake/render-bodies.ts';
import { createRowHints, type RowHints } from './intake/row-hints.ts';
import { findDoubtful, findProblems, readNotes } from './intake/row-notes.ts';
import { findSiteUrl, getSiteUrl, storeSiteUrl } from './intake/site-url.ts';

export type { ImportReport } from './import-report.ts';

export type ImportProgress = {
  /** Reading the source counts for the first part, writing its rows for the rest. */
  readonly share: number;
  readonly rows: number;
  readonly isWriting: boolean;
};

/** What reading takes of the whole time of a first import. */
const READING_SHARE = 0.45;

type ImportOptions = {
  /** Address of the site, absolute; stored as the setting `url`. Throws CONFIG_INVALID. */
  readonly siteUrl?: string;
  /** The setting; absent: nothing is said where the source has other addresses. */
  readonly permalinks?: string | undefined;
  /** Told now and then how far the import is. */
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly clock?: Clock;
  /** Who left a newsletter here may get it again; absent: no. */
  readonly replacing?: Replacing;
  /** Renders posts that the source has without html; absent: they are kept as drafts. */
  readonly renderer?: BodyRenderer | undefined;
  /** Run when the source was read to its end, before anything is written; `rows` are those that may be, as JSON. */
  readonly onRead?: (rows: Iterable<string>) => Promise<void>;
  /** Run first in the transaction that writes, unless no row may be. */
  readonly prepare?: (tx: Transaction, report: ReportBuilder) => Promise<void>;
};

/**
 * Throws what the source throws, each with the publication as it was. Rows that cannot be taken do not fail
 * the import: the report lists them. Leaves the source open.
 */
export const importSource = async (
  store: Store,
  source: Source,
  options: ImportOptions = {},
): Promise<ImportReport> => {
  const siteUrl = options.siteUrl === undefined ? null : getSiteUrl(options.siteUrl);
  const nowMs = (options.clock ?? systemClock).now();
  const columns = await describeTables(store);
  const report = createReport();
  const aliases = createAliases();
  const hints = createRowHints();
  const stage = openStage();
  let written = report;
  try {
    const twins = new Map<string, string>();
    const kit: Kit = { columns, report, aliases, hints, stage, twins, nowMs, siteUrl };
    const { replacing = 'no' } = options;
    const known = siteUrl ?? (await findSiteUrl(store));
    const staged = await stageSource({ ...kit, known }, source, options);
    const { roles, rows, sourceMs } = staged;
    const hasRows = stagedRows(stage).next().done !== true;
    const beginWriting = tellWritten(rows, options.onProgress);
    // Before bodies are rendered: html has the sides of pictures.
    await options.onRead?.(stagedRows(stage));
    await renderBodies({ ...kit, siteUrl: known, renderer: options.renderer });
    await store.write(
      async (tx) => {
        const own = beginRun(kit);
        if (hasRows) await options.prepare?.(tx, own.report);
        const onWritten = beginWriting();
        await apply({ ...own, tx, roles, sourceMs, onWritten }, { ...own, replacing });
        written = own.report;
      },
      { action: `import:${createId(nowMs)}` },
    );
  } finally {
    stage.close();
  }
  warnOfUnknown(written, source);
  return named(written.finish(), source);
};

export const warnOfUnknown = (report: ReportBuilder, { unknown = [] }: Source): void => {
  for (const sentence of unknown) report.warn(sentence);
};

/** Rows are called what the source calls them. */
const named = (report: ImportReport, { ownId }: Source): ImportReport => {
  if (ownId === undefined) return report;
  const rename = (text: string): string => text.replace(ID, (id) => ownId(id) ?? id);
  const renameRows = (rows: ImportReport['skipped']) =>
    rows.map((row) => ({ ...row, id: rename(row.id), reason: rename(row.reason) }));
  return {
    ...report,
    skipped: renameRows(report.skipped),
    leftOut: renameRows(report.leftOut),
    warnings: report.warnings.map(rename),
  };
};

const ID = /\b[0-9a-f]{24}\b/g;

type Kit = {
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  readonly report: ReportBuilder;
  readonly aliases: Aliases;
  readonly hints: RowHints;
  readonly stage: Stage;
  readonly twins: Map<string, string>;
  readonly nowMs: number;
  readonly siteUrl: string | null;
};

type Staged = Pick<ApplyContext, 'roles' | 'sourceMs'> & { readonly rows: number };

const stageSource = async (
  { known, ...kit }: Kit & { readonly known: string | null },
  source: Source,
  { onProgress, permalinks }: ImportOptions,
): Promise<Staged> => {
  const hasSiteUrl = kit.siteUrl !== null;
  const intake = createIntake({ ...kit, siteUrl: known, hasSiteUrl });
  const state = await source.open();
  let count = 0;
  let sourceMs: number | null = null;
  try {
    for await (const { table, rows, share } of state.rows(wantedTables(kit.columns))) {
      intake.declare(table);
      for (const row of rows) intake.take(table, row);
      count += rows.length;
      onProgress?.({ share: READING_SHARE * share, rows: count, isWriting: false });
    }
    sourceMs = await state.nowMs();
    warnOfAddresses(kit.report, state, permalinks);
  } finally {
    await state.close();
  }
  return { roles: intake.finish(), rows: count, sourceMs };
};

export const warnOfAddresses = (
  report: ReportBuilder,
  { addressWarning }: SourceState,
  permalinks: string | undefined,
): void => {
  const warning = permalinks === undefined ? null : addressWarning?.(permalinks);
  if (warning) report.warn(warning);
};

/** Rows that may be written, as JSON. */
export function* stagedRows(stage: Stage): Generator<string> {
  for (const { from } of GHOST_TABLES) {
    for (const batch of stage.rows(from)) for (const { row } of batch) yield row;
  }
}

/** One counter for each run of the save; what is told never goes back. */
const tellWritten = (
  total: number,
  onProgress: ImportOptions['onProgress'],
): (() => ApplyContext['onWritten']) => {
  let furthest = 0;
  const tell = (written: number): void => {
    if (written < furthest) return;
    furthest = written;
    const share = READING_SHARE + (1 - READING_SHARE) * (written / total);
    onProgress?.({ share, rows: written, isWriting: true });
  };
  return () => {
    let written = 0;
    return (rows) => {
      written = Math.min(written + rows, total);
      tell(written);
    };
  };
};

type Applying = Kit & { readonly replacing: Replacing };

const apply = async (context: ApplyContext, kit: Applying): Promise<void> => {
  await deferReferences(context.tx);
  for (const facts of GHOST_TABLES) {
    await applyTable(context, facts);
    await replaceLinks(context, facts);
    if (facts.into !== 'members') continue;
    await keepConsent(context);
    await keepLeft(context, kit.replacing);
  }
  await keepEmailOnly(context);
  await noteProblems(context, kit.nowMs);
  await applySiteUrl(context.tx, kit);
};

const NOTED_AT_ONCE = 1_000;

/** What the source may have taken back is shown no more until its row can be read. */
const hideDoubtfulPosts = async (
  context: ApplyContext,
  facts: TableFacts,
  ids: readonly string[],
): Promise<void> => {
  const rejected = [...context.stage.flagged('rejected', facts.from, ids)];
  const notes = readNotes(context.stage, facts, rejected);
  await hidePosts(context.tx, await findDoubtful(context, facts, notes));
};

/** They are named until the next import, or until somebody says that they need not be. */
const noteProblems = async (context: ApplyContext, nowMs: number): Promise<void> => {
  await forgetImportProblems(context.tx);
  for (const facts of GHOST_TABLES) {
    const ids = context.stage.noted(facts.from);
    for (let at = 0; at < ids.length; at += NOTED_AT_ONCE) {
      const some = ids.slice(at, at + NOTED_AT_ONCE);
      if (facts.into === 'posts') await hideDoubtfulPosts(context, facts, some);
      const problems = await findProblems(context, facts, some);
      await noteImportProblems(context.tx, facts.from, problems, nowMs);
    }
  }
};

/** Stores what was given, or warns where no address is known. */
export const applySiteUrl = async (
  tx: Transaction,
  { siteUrl, report, nowMs }: Pick<Kit, 'siteUrl' | 'report' | 'nowMs'>,
): Promise<void> => {
  if (siteUrl !== null) return storeSiteUrl(tx, siteUrl, nowMs);
  const [stored] = await findRows(tx, { table: 'settings', by: 'key', values: ['url'] });
  if (stored?.value) return;
  report.warn(
    'The address of the site is not known: run the command again with --site-url https://...',
  );
};
