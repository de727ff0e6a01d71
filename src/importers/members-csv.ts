// Imports Ghost's members CSV. A member is found by e-mail address. A file adds and fills: it subscribes nobody who left,
// erases no value by an empty cell and lowers no status, unless it is asked to replace what is known by what it says. One
// transaction, so the publication is changed whole or not at all; importing again changes nothing. Subscriptions, events
// and history of mails are not in such a file.
import { type Clock, systemClock } from '../base/clock.ts';
import { createId } from '../base/ids.ts';
import { refuseWhileFollowing } from '../store/following.ts';
import { openStage, type Stage } from '../store/import-stage.ts';
import type { Store, Writer } from '../store/store.ts';
import { listTiers } from '../store/tiers.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import type { ImportProgress } from './import-source.ts';
import { foldEmail } from './known-members.ts';
import { createMemberWriter, type Losses } from './member-writer.ts';
import { type CsvLine, readMembersCsv } from './members-csv-file.ts';
import { type MemberLine, parseMemberLine } from './members-csv-line.ts';
import type { Problem } from './normalise-row.ts';

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

/**
 * Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or SOURCE_FOLLOWED with the publication as it was. Lines that cannot be
 * taken do not fail the import: the report lists them by number.
 */
export const importMembersCsv = async (
  store: Store,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> => {
  const { onProgress, clock = systemClock, upload, replaces = false, losses } = options;
  const nowMs = clock.now();
  const report = createReport();
  const stage = openStage();
  try {
    await store.write(
      async (writer) => {
        await refuseWhileFollowing(writer);
        const members = await createMemberWriter({ writer, report, nowMs, replaces, losses });
        const tiers = await tierNames(writer);
        const take = createSorter({ report, stage, upload, replaces, tiers });
        let share = 0;
        let rows = 0;
        let batch: MemberLine[] = [];
        const flush = async (): Promise<void> => {
          await members.write(batch);
          rows += batch.length;
          batch = [];
          onProgress?.({ share, rows, isWriting: true });
        };
        const onRead = (bytes: number, total: number): void => {
          share = bytes / total;
        };
        const reading = { onRead, mapping: upload?.mapping, name: upload?.name };
        for await (const line of readMembersCsv(file, reading)) {
          const member = take(line);
          if (member !== null) batch.push(member);
          if (batch.length === BATCH) await flush();
        }
        await flush();
        options.beforeCommit?.();
      },
      { action: `import:${createId(nowMs)}` },
    );
  } finally {
    stage.close();
  }
  return report.finish();
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

const tierNames = async (writer: Writer): Promise<ReadonlySet<string>> =>
  new Set((await listTiers(writer)).map(({ name }) => name));

type SorterInput = {
  readonly report: ReportBuilder;
  readonly stage: Stage;
  readonly upload: UploadOptions | undefined;
  readonly replaces: boolean;
  readonly tiers: ReadonlySet<string>;
};

/** Lets each address pass once; what does not is in the report. */
const createSorter = ({ report, stage, upload, replaces, tiers }: SorterInput) => {
  const recent = new Set<string>();
  const refuse = (raw: CsvLine, problem: Problem): null => {
    report.skip('members', `line ${raw.line}`, problem);
    upload?.onRefused(raw, problem);
    return null;
  };
  return (raw: CsvLine): MemberLine | null => {
    report.count('members', 'read');
    const line = parseMemberLine(raw);
    if ('reason' in line) return refuse(raw, line);
    const email = foldEmail(line.email);
    if (recent.has(email) || stage.marked('kept', 'members', [email]).size > 0) {
      return refuse(raw, { field: 'email', reason: 'stands in an earlier line, too' });
    }
    if (line.tiers?.[0] !== undefined && !tiers.has(line.tiers[0])) {
      return refuse(raw, { field: 'tiers', reason: 'names a tier that does not exist' });
    }
    recent.add(email);
    if (recent.size === BATCH) {
      stage.mark('kept', 'members', [...recent]);
      recent.clear();
    }
    return replaces ? line : asAddition(line, upload?.labels ?? []);
  };
};

/** An empty cell says nothing. */
const asAddition = (line: MemberLine, labels: readonly string[]): MemberLine => ({
  ...line,
  name: line.name ?? undefined,
  note: line.note ?? undefined,
  tiers: line.tiers?.length ? line.tiers : undefined,
  status: line.status === 'free' ? undefined : line.status,
  labels: [...(line.labels ?? []), ...labels],
});
