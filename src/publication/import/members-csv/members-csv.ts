// Imports Ghost's members CSV. A member is found by e-mail address. A file adds and fills: it subscribes nobody who left,
// erases no value by an empty cell and lowers no status, unless it is asked to replace what is known by what it says. The
// file is read and judged whole first; of several lines of one address the last counts. Then publication/store/members/bulk-jobs.ts writes
// the lines in small parts; importing again changes nothing. Subscriptions, events and history of mails are not in such
// a file.
import * as z from 'zod';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { createId } from '../../../base/ids.ts';
import { mailboxOf } from '../../../base/text/email.ts';
import { chunksOfPart, letOthersWrite, writeParts } from '../../store/bulk-parts.ts';
import { refuseWhileFollowing } from '../../store/import/following.ts';
import { type MemberLines, openMemberLines } from '../../store/import/member-lines.ts';
import {
  type BulkJob,
  KEPT_LINES_MAX,
  keepJob,
  type LineWork,
  readCounts,
  readJournal,
} from '../../store/members/bulk-jobs.ts';
import {
  type EarlierAddresses,
  watchEarlierAddresses,
} from '../../store/members/earlier-addresses.ts';
import { isDefault, listNewsletters } from '../../store/members/newsletters.ts';
import type { Queryable, Store, Transaction } from '../../store/store.ts';
import {
  addCounts,
  countHere,
  countsOf,
  createReport,
  type ImportReport,
  importReport,
  type ReportBuilder,
  warnHere,
} from '../import-report.ts';
import type { ImportProgress } from '../import-source.ts';
import { parseImportTime } from '../intake/import-time.ts';
import { type Problem, parseId } from '../intake/normalise-row.ts';
import {
  asAddition,
  type CheckedLine,
  checkedLine,
  createMemberCheck,
  leavingLine,
  type MemberCheck,
} from './check-member-lines.ts';
import type { Mapping } from './foreign-columns.ts';
import { createMemberWriter } from './member-writer.ts';
import { type CsvLine, readMembersCsv } from './members-csv-file.ts';
import { gotOf, listOf, readLeaving } from './members-csv-line.ts';
import type { Losses } from './writer-context.ts';

/** What an upload has beside its file. */
export type UploadOptions = {
  /** Every member of the file gets them, too. */
  readonly labels: readonly string[];
  readonly onRefused: (line: CsvLine, problem: Problem) => void;
  /** What messages call the file. */
  readonly name: string;
};

type ImportOptions = {
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly clock?: Clock;
  readonly mapping?: Mapping | undefined;
  readonly upload?: UploadOptions;
  /** Columns that the file has are taken as they are, also where a known member loses something by that. */
  readonly replaces?: boolean;
};

const BATCH = 200;
/** What reading takes of the whole time. */
const READING_SHARE = 0.2;

/** What the journal keeps of an import beside its lines. */
export const importChange = z.object({ replaces: z.boolean(), nowMs: z.number() }).readonly();
type ImportChange = z.output<typeof importChange>;

/** Answers of a file that was judged what the journal keeps of it beside. */
type Extras = (report: ImportReport) => object;

/**
 * Reads and judges the file, and keeps its lines for the work whose id it answers. Throws IMPORT_UNREADABLE,
 * MEMBERS_CSV_INVALID, COLUMNS_UNCLEAR or SOURCE_FOLLOWED with nothing kept. Lines that cannot be taken do not fail the import: the
 * report lists them by number.
 */
export const planMembersImport = (
  store: Store,
  file: string,
  { extras, ...options }: ImportOptions & { readonly extras?: Extras } = {},
): Promise<string> =>
  withLines(store, file, options, async ({ lines, report, nowMs, replaces = false, earlier }) => {
    const judged = report.finish();
    const id = createId(nowMs);
    const change: ImportChange = { replaces, nowMs };
    const kept = { ...judged, ...extras?.(judged) };
    await keepJob(
      store,
      { id, kind: 'import', change, report: kept, nowMs },
      textsOf(lines, KEPT_LINES_MAX, earlier),
    );
    return id;
  });

export const importWork =
  ({ replaces, nowMs }: ImportChange): LineWork =>
  async (tx, chunks) => {
    const report = createReport();
    const members = await createMemberWriter({ tx, report, nowMs, replaces });
    for (const texts of chunks) {
      await members.write(texts.map((text) => readJournal(checkedLine, text)));
    }
    return { ...countsOf(report.finish()), ...countHere(report) };
  };

/** What was read of the file, and what was written of it so far. */
export const importReportOf = (job: BulkJob): ImportReport => {
  const counts = readCounts(job);
  const read = readJournal(importReport, job.report);
  const warnings = [...read.warnings, ...warnHere(counts)];
  return addCounts({ ...read, warnings }, counts);
};

/** Shares of the whole time, of work that is writing. */
export const importProgressOf = ({ members_done, members_total }: BulkJob): ImportProgress => ({
  share: READING_SHARE + (1 - READING_SHARE) * (members_done / Math.max(members_total, 1)),
  rows: members_done,
  isWriting: true,
});

const withLines = async <T>(
  store: Store,
  file: string,
  options: ImportOptions,
  use: (context: Context) => Promise<T>,
): Promise<T> => {
  const { clock = systemClock } = options;
  const nowMs = clock.now();
  const lines = openMemberLines();
  try {
    const earlier = await watchEarlierAddresses(store);
    const context: Context = { ...options, file, nowMs, earlier, report: createReport(), lines };
    await readLines(store, context);
    return await use(context);
  } finally {
    lines.close();
  }
};

/** This process wrote the lines: they are not checked. */
const lineOf = (text: string): CheckedLine => JSON.parse(text) as CheckedLine;

/** `earlier`: whom the publication had when the file was begun. */
function* textsOf(
  lines: MemberLines,
  size: number,
  earlier?: EarlierAddresses,
): Generator<readonly string[]> {
  for (const batch of lines.batches(size)) {
    yield batch.map(({ text, leaves }) => {
      const line = lineOf(text);
      const isTaken = line.wasKnown === true;
      const wasKnown = (earlier?.wasTaken(line.email, isTaken) ?? isTaken) || undefined;
      // A sure no of the line itself stays one.
      if (leaves === null || (line.isSubscribed === false && !line.isDoubtful))
        return wasKnown === line.wasKnown ? text : JSON.stringify({ ...line, wasKnown });
      const isDoubtful = leaves === 'perhaps' || undefined;
      const left: CheckedLine = { ...line, wasKnown, isSubscribed: false, isDoubtful };
      return JSON.stringify(left);
    });
  }
}

type Context = ImportOptions & {
  readonly file: string;
  readonly nowMs: number;
  /** Who was deleted before a line was judged is unknown to it. */
  readonly earlier: EarlierAddresses;
  readonly report: ReportBuilder;
  readonly lines: MemberLines;
};

const readLines = async (from: Queryable, context: Context): Promise<void> => {
  const { file, mapping, upload, nowMs, onProgress, report, lines, earlier } = context;
  await refuseWhileFollowing(from);
  const judge = await createMemberCheck(from, nowMs);
  let share = 0;
  let rows = 0;
  let batch: CsvLine[] = [];
  const flush = async (): Promise<void> => {
    await keepLines(context, judge, batch);
    await earlier.look();
    rows += batch.length;
    batch = [];
    onProgress?.({ share: READING_SHARE * share, rows, isWriting: false });
  };
  const onRead = (bytes: number, total: number): void => {
    share = bytes / total;
  };
  const onUnused = (columns: readonly string[]): void => {
    if (columns.length === 0) return;
    report.warn(`Columns read only for words such as "unsubscribed": ${columns.join(', ')}.`);
  };
  const reading = { onRead, onUnused, mapping, name: upload?.name, labels: upload?.labels };
  for await (const line of readMembersCsv(file, reading)) {
    batch.push(line);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  for (const number of lines.overruled()) report.remark('leftElsewhere', `line ${number}`);
  if (lines.hasNew() && !(await listNewsletters(from)).some(isDefault)) report.warn(NO_NEWSLETTER);
};

const NO_NEWSLETTER =
  'No newsletter of the publication is for new members, so nobody new was subscribed. Create or import one, then import the file again with --replace. Where it has no column that says who is subscribed, add subscribed_to_emails.';

const keepLines = async (
  { report, upload, replaces = false, lines }: Context,
  judge: MemberCheck,
  batch: readonly CsvLine[],
): Promise<void> => {
  for (const [at, judged] of (await judge(batch)).entries()) {
    const raw = batch[at] as CsvLine;
    report.count('members', 'read');
    const isRefused = 'reason' in judged;
    keepLeaving({ report, lines }, raw, isRefused);
    if (isRefused) {
      const id = parseId(raw.fields.id ?? null);
      const reason = judged.reason + gotOf(raw, judged.field);
      const name = `line ${raw.line}${id === null ? '' : ` (${id})`}`;
      report.skip('members', name, { ...judged, reason });
      upload?.onRefused(raw, judged);
      continue;
    }
    if (raw.goneBy !== null) report.remark('leftThere', raw.goneBy || 'a column without a name');
    if ((listOf(raw.fields.tiers)?.length ?? 0) > 1) report.remark('manyTiers', `line ${raw.line}`);
    if (raw.unreadTimeBy !== null) report.remark('timeUnread', raw.unreadTimeBy);
    if (parseImportTime(raw.fields.created_at ?? null) !== judged.createdAt)
      report.remark('timeInFuture', `line ${raw.line}`);
    const line = replaces ? judged : asAddition(judged, upload?.labels ?? []);
    const kept = { number: raw.line, text: JSON.stringify(line) };
    const earlier = lines.put(mailboxOf(line.email), kept);
    if (earlier !== null) report.remark('repeatedAddress', `line ${earlier}`);
  }
};

const keepLeaving = (
  { report, lines }: Pick<Context, 'report' | 'lines'>,
  raw: CsvLine,
  isRefused: boolean,
): void => {
  const leaving = readLeaving(raw);
  if (leaving === null) return;
  const { email, says } = leaving;
  const endsAlone = isRefused && says === 'left' && email !== null;
  if (email !== null && says !== 'hidden')
    lines.leave(mailboxOf(email), says, endsAlone ? JSON.stringify(leavingLine(email)) : undefined);
  if (isRefused) report.remark(endsAlone ? 'leftRefused' : 'mayHaveLeft', `line ${raw.line}`);
};

class RolledBack extends Error {}

/** What known members would lose if the file replaced what is known of them. Changes nothing. Throws as planning does. */
export const countLosses = async (
  store: Store,
  file: string,
  options: Pick<ImportOptions, 'mapping' | 'clock'> = {},
): Promise<Losses> => {
  const losses: Losses = { erased: 0, subscribed: 0, lowered: 0 };
  await withLines(store, file, { ...options, replaces: true }, async ({ lines, report, nowMs }) => {
    for (const texts of textsOf(lines, BATCH)) {
      let at = 0;
      await writeParts(async (partMs) => {
        await undone(store, async (tx) => {
          const startedMs = performance.now();
          const members = await createMemberWriter({ tx, report, nowMs, replaces: true, losses });
          for (const chunk of chunksOfPart(texts.slice(at), { startedMs, partMs })) {
            await members.write(chunk.map(lineOf));
            at += chunk.length;
          }
        });
        return at < texts.length;
      });
      await letOthersWrite();
    }
  });
  return losses;
};

const undone = async (store: Store, run: (tx: Transaction) => Promise<void>): Promise<void> => {
  try {
    await store.write(async (tx) => {
      await run(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
};
