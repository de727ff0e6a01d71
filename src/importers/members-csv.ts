// Imports Ghost's members CSV. A member is found by e-mail address. A file adds and fills: it subscribes nobody who left,
// erases no value by an empty cell and lowers no status, unless it is asked to replace what is known by what it says. The
// file is read and judged whole first; of several lines of one address the last counts. Then one transaction writes, so
// the publication is changed whole or not at all; importing again changes nothing. Subscriptions, events and history of
// mails are not in such a file.
import { type Clock, systemClock } from '../base/clock.ts';
import { createId } from '../base/ids.ts';
import { refuseWhileFollowing } from '../store/following.ts';
import { type MemberLines, openMemberLines } from '../store/member-lines.ts';
import type { Reader, Store, Writer } from '../store/store.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import type { ImportProgress } from './import-source.ts';
import { createMemberJudge, type JudgedLine, type MemberJudge } from './judge-member-lines.ts';
import { createMemberWriter, type Losses } from './member-writer.ts';
import { type CsvLine, readMembersCsv } from './members-csv-file.ts';
import { leavingEmail } from './members-csv-line.ts';
import { type Problem, parseId } from './normalise-row.ts';

/** What an upload has beside its file. */
export type UploadOptions = {
  /** Columns by the names of the header. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /** Every member of the file gets them, too. */
  readonly labels: readonly string[];
  readonly onRefused: (line: CsvLine, problem: Problem) => void;
  /** What messages call the file. */
  readonly name: string;
};

type ImportOptions = {
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly clock?: Clock;
  readonly upload?: UploadOptions;
  /** Columns that the file has are taken as they are, also where a known member loses something by that. */
  readonly replaces?: boolean;
  /** Counts what known members lose. */
  readonly losses?: Losses;
  /** Throws where nothing is to be changed. */
  readonly beforeCommit?: () => void;
};

const BATCH = 200;
/** What reading takes of the whole time. */
const READING_SHARE = 0.2;

/**
 * Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or SOURCE_FOLLOWED with the publication as it was. Lines that cannot be
 * taken do not fail the import: the report lists them by number.
 */
export const importMembersCsv = async (
  store: Store,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> => {
  const { clock = systemClock } = options;
  const context: Context = {
    ...options,
    file,
    nowMs: clock.now(),
    report: createReport(),
    lines: openMemberLines(),
  };
  try {
    await readLines(store.reader, context);
    await store.write((writer) => writeLines(writer, context), {
      action: `import:${createId(context.nowMs)}`,
    });
  } finally {
    context.lines.close();
  }
  return context.report.finish();
};

type Context = ImportOptions & {
  readonly file: string;
  readonly nowMs: number;
  readonly report: ReportBuilder;
  readonly lines: MemberLines;
};

const readLines = async (reader: Reader, context: Context): Promise<void> => {
  const { file, upload, nowMs, onProgress } = context;
  await refuseWhileFollowing(reader);
  const judge = await createMemberJudge(reader, nowMs);
  let share = 0;
  let rows = 0;
  let batch: CsvLine[] = [];
  const flush = async (): Promise<void> => {
    await keepLines(context, judge, batch);
    rows += batch.length;
    batch = [];
    onProgress?.({ share: READING_SHARE * share, rows, isWriting: false });
  };
  const onRead = (bytes: number, total: number): void => {
    share = bytes / total;
  };
  const reading = { onRead, mapping: upload?.mapping, name: upload?.name };
  for await (const line of readMembersCsv(file, reading)) {
    batch.push(line);
    if (batch.length === BATCH) await flush();
  }
  await flush();
};

const keepLines = async (
  { report, upload, replaces = false, lines }: Context,
  judge: MemberJudge,
  batch: readonly CsvLine[],
): Promise<void> => {
  for (const [at, judged] of (await judge(batch)).entries()) {
    const raw = batch[at] as CsvLine;
    report.count('members', 'read');
    const leaving = leavingEmail(raw);
    if (leaving !== null) lines.leave(leaving.toLowerCase());
    if ('reason' in judged) {
      const id = parseId(raw.fields.id ?? null);
      report.skip('members', `line ${raw.line}${id === null ? '' : ` (${id})`}`, judged);
      upload?.onRefused(raw, judged);
      continue;
    }
    const line = replaces ? judged : asAddition(judged, upload?.labels ?? []);
    const kept = { number: raw.line, text: JSON.stringify(line) };
    const earlier = lines.put(line.email.toLowerCase(), kept);
    if (earlier !== null) report.remark('repeatedAddress', `line ${earlier}`);
  }
};

const writeLines = async (writer: Writer, context: Context): Promise<void> => {
  const { report, nowMs, replaces = false, losses, onProgress } = context;
  await refuseWhileFollowing(writer);
  const members = await createMemberWriter({ writer, report, nowMs, replaces, losses });
  const total = context.lines.count();
  let rows = 0;
  for (const batch of context.lines.batches()) {
    await members.write(
      batch.map(({ text, leaves }) => {
        const line = JSON.parse(text) as JudgedLine;
        return leaves ? { ...line, isSubscribed: false } : line;
      }),
    );
    rows += batch.length;
    const share = READING_SHARE + ((1 - READING_SHARE) * rows) / total;
    onProgress?.({ share, rows, isWriting: true });
  }
  context.beforeCommit?.();
};

class RolledBack extends Error {}

/** What known members would lose if the file replaced what is known of them. Changes nothing. Throws as the import does. */
export const countLosses = async (store: Store, file: string): Promise<Losses> => {
  const losses: Losses = { erased: 0, subscribed: 0, lowered: 0 };
  const rollBack = (): never => {
    throw new RolledBack();
  };
  try {
    await importMembersCsv(store, file, { replaces: true, losses, beforeCommit: rollBack });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return losses;
};

/** An empty cell says nothing. */
const asAddition = (line: JudgedLine, labels: readonly string[]): JudgedLine => ({
  ...line,
  name: line.name ?? undefined,
  note: line.note ?? undefined,
  status: line.status === 'free' ? undefined : line.status,
  labels: [...(line.labels ?? []), ...labels],
});
