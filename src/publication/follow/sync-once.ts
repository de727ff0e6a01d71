// One look at the source that is followed: compares it with what was last taken, and takes what differs, in one
// transaction. So a look that breaks off, wherever it does, changed nothing, and the next one finds the same.
import { hash } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { PrepressError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { createAliases } from '../import/apply/aliases.ts';
import { beginRun } from '../import/apply/apply-context.ts';
import { applyDifference, loadTargets } from '../import/apply/apply-difference.ts';
import { NEWSLETTER_LINKS } from '../import/apply/newsletter-links.ts';
import { stageDifference } from '../import/apply/stage-difference.ts';
import { createReport, type ImportReport } from '../import/import-report.ts';
import {
  applySiteUrl,
  stagedRows,
  warnOfAddresses,
  warnOfUnknown,
} from '../import/import-source.ts';
import { createIntake } from '../import/intake/ghost-intake.ts';
import { GHOST_TABLES, sourceOf, wantedTables } from '../import/intake/ghost-tables.ts';
import { type BodyRenderer, renderBodies } from '../import/intake/render-bodies.ts';
import { createRowHints } from '../import/intake/row-hints.ts';
import { findSiteUrl, getSiteUrl, storeSiteUrl } from '../import/intake/site-url.ts';
import { removeSample } from '../import/sample/sample.ts';

import type { Source, SourceState, Wanted } from '../sources/source.ts';
import { type Difference, openDifference } from '../store/import/difference.ts';
import { forgetImportProblems, listWaitingRows, readBlocks } from '../store/import/followed.ts';
import { beginFollowing, findFollowing, noteTaken } from '../store/import/following.ts';
import { type Column, describeTables } from '../store/import/import-rows.ts';
import { openStage } from '../store/import/import-stage.ts';
import type { Queryable, Store } from '../store/store.ts';
import { TableComparer } from './compare-table.ts';
import type { KnownTables } from './known-tables.ts';
import { remarkOwn } from './own-content.ts';

export type SyncDeps = {
  readonly store: Store;
  readonly source: Source;
  readonly clock?: Clock;
  /** Of whoever looks at this source again and again: what its last look need not read again. */
  readonly known?: KnownTables;
};

export type SyncOptions = {
  /** From this look on the source is followed, if it ends well. */
  readonly begins?: boolean;
  /** Every row is read, whatever its hash says. */
  readonly isAll?: boolean;
  /** Address of the site, absolute; stored as the setting `url`. */
  readonly siteUrl?: string | undefined;
  /** The setting; absent: nothing is said where the source has other addresses. */
  readonly permalinks?: string | undefined;
  /** Renders posts that the source has without html; absent: they are kept as drafts. */
  readonly renderer?: BodyRenderer | undefined;
  /** Run before anything is written; `rows` are those that may be, as JSON. */
  readonly onRead?: ((rows: Iterable<string>) => Promise<void>) | undefined;
  /** Told now and then how far a long look is, 0 to 1. */
  readonly onProgress?: (share: number) => void;
};

export type SyncReport = ImportReport & {
  /** Rows that are new or were changed, and rows that went. */
  readonly changed: number;
  readonly gone: number;
  /** Rows that are named as unreadable from now on, or no longer. */
  readonly named: number;
};

/** A look at a publication that was changed by another follower meanwhile is begun again. */
const ATTEMPTS_MAX = 5;

/**
 * Null when nothing differs; nothing is written then. Throws what the source throws, SOURCE_IS_ANOTHER, and NOT_FOUND
 * when nothing is followed any more.
 */
export const syncOnce = async (
  deps: SyncDeps,
  options: SyncOptions = {},
): Promise<SyncReport | null> => {
  for (let attempt = 1; ; attempt += 1) {
    const state = await deps.source.open();
    try {
      return await takeFrom(state, deps, options);
    } catch (error) {
      if (!(error instanceof Outdated) || attempt === ATTEMPTS_MAX) throw error;
    } finally {
      await state.close();
    }
  }
};

/** Another follower took something since this one began to compare. */
class Outdated extends Error {}

const takeFrom = async (
  state: SourceState,
  { store, source, clock = systemClock, known }: SyncDeps,
  options: SyncOptions,
): Promise<SyncReport | null> => {
  const following = await findFollowing(store);
  const isFollowed = following !== undefined && following.detached_at === null;
  if (!isFollowed && options.begins !== true) throw notFollowing();
  const columns = await describeTables(store);
  const wanted = wantedTables(columns);
  const taken = hash('sha256', JSON.stringify([FORMAT, wanted]), 'hex').slice(0, 32);
  const isAll = options.isAll === true || options.begins === true || following?.taken !== taken;
  const nowMs = clock.now();
  const revision = following?.revision ?? 0;
  const tableVersions =
    (known && (await state.tableVersions?.(wanted))) ?? new Map<string, string>();
  const looked = { revision, taken, tableVersions };
  const isSame = (table: string): boolean => !isAll && known?.isSame(table, looked) === true;
  const unknown = wanted.filter(({ table }) => !isSame(table));
  const difference = openDifference();
  try {
    await compare({ state, wanted: unknown, store, difference, isAll });
    await addWaiting(store, difference);
    if (difference.tables().size === 0 && !isAll) {
      const { siteUrl } = options;
      if (siteUrl !== undefined) {
        await store.write((tx) => storeSiteUrl(tx, getSiteUrl(siteUrl), nowMs));
      }
      known?.note(looked);
      return null;
    }
    const begins = options.begins === true ? source : null;
    const notes = { revision, taken, begins };
    const found = { store, state, wanted, columns, difference, isAll, nowMs, notes };
    const report = await takeDifference(found, options);
    known?.note({ ...looked, revision: revision + 1 });
    return { ...report, ...countRows(report) };
  } finally {
    difference.close();
  }
};

type Found = Comparison & {
  readonly store: Store;
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  readonly nowMs: number;
  readonly notes: {
    /** Of the look before. */
    readonly revision: number;
    readonly taken: string;
    /** The source that is followed from now on. */
    readonly begins: Source | null;
  };
};

const takeDifference = async (
  { store, columns, nowMs, notes, ...found }: Found,
  { siteUrl, permalinks, renderer, onRead, onProgress = () => undefined }: SyncOptions,
): Promise<ImportReport & Pick<SyncReport, 'named'>> => {
  const report = createReport();
  const aliases = createAliases();
  const hints = createRowHints();
  const twins = new Map<string, string>();
  const stage = openStage();
  let written = report;
  let named = 0;
  try {
    await loadTargets(store, aliases);
    const given = siteUrl === undefined ? null : getSiteUrl(siteUrl);
    const own = { siteUrl: given ?? (await findSiteUrl(store)), hasSiteUrl: given !== null };
    const intake = createIntake({ stage, report, aliases, hints, twins, columns, ...own });
    const roles = await stageDifference({
      ...{ ...found, store, intake, aliases, stage },
      onRead: onProgress,
    });
    warnOfAddresses(report, found.state, permalinks);
    await renderBodies({ stage, report, siteUrl: own.siteUrl, renderer });
    await onRead?.(stagedRows(stage));
    // Of the first look only site.changed is sent; what later ones find is like the edits of any writer.
    const isFirst = notes.revision === 0;
    await store.write(
      async (tx) => {
        if (notes.begins !== null) {
          await beginFollowing(tx, { source: notes.begins.name, now: nowMs });
          await forgetImportProblems(tx);
        }
        if ((await noteTaken(tx, notes.taken)) !== notes.revision + 1) throw new Outdated();
        const own = beginRun({ stage, report, aliases, twins });
        if (isFirst) await removeSample(tx, own.report);
        written = own.report;
        const parts = { tx, hints, columns, roles, nowMs };
        named = await applyDifference({
          ...parts,
          ...own,
          ...found,
          isFollowing: true,
          hides: found.state.hides,
          onWritten: () => undefined,
        });
        if (notes.begins !== null) await remarkOwn(tx, own);
        if (given !== null || isFirst) {
          await applySiteUrl(tx, { siteUrl: given, report: own.report, nowMs });
        }
      },
      isFirst ? { action: `import:${createId(nowMs)}` } : {},
    );
  } finally {
    stage.close();
  }
  if (notes.begins !== null) warnOfUnknown(written, notes.begins);
  return { ...written.finish(), named };
};

/** Raised when rows come to be taken in another way, so that all are taken once more. */
const FORMAT = 3;

const notFollowing = (): PrepressError =>
  new PrepressError('NOT_FOUND', 'The publication no longer follows a source.');

type Comparison = {
  readonly state: SourceState;
  readonly wanted: readonly Wanted[];
  readonly store: Queryable;
  readonly difference: Difference;
  readonly isAll: boolean;
};

const compare = async ({ state, wanted, store, difference, isAll }: Comparison): Promise<void> => {
  let table = '';
  let comparer: TableComparer | null = null;
  const known = new Map<string, number>();
  const finish = async (): Promise<void> => {
    const compared = await comparer?.finish(state.isWhole(table));
    if (compared !== undefined) known.set(table, compared.known);
  };
  for await (const batch of state.rowHashes(wanted)) {
    if (comparer === null || batch.table !== table) {
      await finish();
      table = batch.table;
      const taken = readBlocks(store, table);
      comparer = new TableComparer({ table, taken, difference, isAll });
    }
    await comparer.take(batch.rowHashes);
  }
  await finish();
  throwIfAnother(known, difference.count('gone', 'settings'));
};

/** Settings and posts keep their ids as long as a site lives, but a Content API shows no ids of settings. */
const throwIfAnother = (known: ReadonlyMap<string, number>, gone: number): void => {
  if (gone === 0 || known.get('settings') !== 0 || (known.get('posts') ?? 0) > 0) return;
  const sentence =
    'The source has no setting and no post with an id of the site that was followed so far.';
  throw new PrepressError('SOURCE_IS_ANOTHER', sentence);
};

/** Adds rows that could not be taken, where something that they have to do with has changed. */
const addWaiting = async (store: Queryable, difference: Difference): Promise<void> => {
  if (difference.tables().size === 0) return;
  const waiting = await listWaitingRows(store);
  for (const { from, references = [] } of GHOST_TABLES) {
    const related = [from, ...references.map(({ table }) => sourceOf(table))];
    // What a member who waits has left, another one with the same address does not get.
    if (from === 'members') related.push(NEWSLETTER_LINKS);
    if (!related.some((table) => difference.tables().has(table))) continue;
    difference.add(
      'changed',
      from,
      waiting.filter(({ name }) => name === from).map(({ id }) => id),
    );
  }
};

const countRows = ({ tables }: ImportReport): Pick<SyncReport, 'changed' | 'gone'> => {
  const counts = Object.values(tables);
  return {
    changed: counts.reduce((sum, { added, changed }) => sum + added + changed, 0),
    gone: counts.reduce((sum, { removed }) => sum + removed, 0),
  };
};
