// Imports Ghost's members CSV. A member is found by e-mail address; columns that the file has are taken as they are,
// those it lacks stay. One transaction, so the publication is changed whole or not at all; importing again changes
// nothing. Subscriptions, events and history of mails are not in such a file.
import { type Clock, systemClock } from '../base/clock.ts';
import { createId } from '../base/ids.ts';
import { refuseWhileFollowing } from '../store/following.ts';
import { openStage, type Stage } from '../store/import-stage.ts';
import type { Store, Writer } from '../store/store.ts';
import { listTiers } from '../store/tiers.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import type { ImportProgress } from './import-source.ts';
import { foldEmail } from './known-members.ts';
import { createMemberWriter } from './member-writer.ts';
import { type CsvLine, readMembersCsv } from './members-csv-file.ts';
import { type MemberLine, parseMemberLine } from './members-csv-line.ts';
import type { Problem } from './normalise-row.ts';

/** What an upload does otherwise: as Ghost's, it adds to what is known of a member and takes nothing away. */
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
};

const BATCH = 200;

/**
 * Throws IMPORT_UNREADABLE, IMPORT_NOT_AN_EXPORT or SOURCE_FOLLOWED with the publication as it was. Lines that cannot be
 * taken do not fail the import: the report lists them by number.
 */
export const importMembersCsv = async (
  store: Store,
  file: string,
  { onProgress, clock = systemClock, upload }: ImportOptions = {},
): Promise<ImportReport> => {
  const nowMs = clock.now();
  const report = createReport();
  const stage = openStage();
  try {
    await store.write(
      async (writer) => {
        await refuseWhileFollowing(writer);
        const merges = upload !== undefined;
        const members = await createMemberWriter({ writer, report, nowMs, merges });
        const take = createSorter({ report, stage, upload, tiers: await tierNames(writer) });
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
      },
      { action: `import:${createId(nowMs)}` },
    );
  } finally {
    stage.close();
  }
  return report.finish();
};

const tierNames = async (writer: Writer): Promise<ReadonlySet<string>> =>
  new Set((await listTiers(writer)).map(({ name }) => name));

type SorterInput = {
  readonly report: ReportBuilder;
  readonly stage: Stage;
  readonly upload: UploadOptions | undefined;
  readonly tiers: ReadonlySet<string>;
};

/** Lets each address pass once; what does not is in the report. */
const createSorter = ({ report, stage, upload, tiers }: SorterInput) => {
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
    if (upload && line.tiers?.[0] !== undefined && !tiers.has(line.tiers[0])) {
      return refuse(raw, { field: 'tiers', reason: 'names a tier that does not exist' });
    }
    recent.add(email);
    if (recent.size === BATCH) {
      stage.mark('kept', 'members', [...recent]);
      recent.clear();
    }
    return upload === undefined ? line : asAddition(line, upload.labels);
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
