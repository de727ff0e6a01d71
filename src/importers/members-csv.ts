// Imports Ghost's members CSV. A member is found by e-mail address; columns that the file has are taken as they are,
// those it lacks stay. One transaction, so the publication is changed whole or not at all; importing again changes
// nothing. Subscriptions, events and history of mails are not in such a file.
import { type Clock, systemClock } from '../base/clock.ts';
import { createId } from '../base/ids.ts';
import { openStage, type Stage } from '../store/sqlite/import-stage.ts';
import type { Store } from '../store/store.ts';
import { createReport, type ImportReport, type ReportBuilder } from './import-report.ts';
import type { ImportProgress } from './import-source.ts';
import { foldEmail } from './known-members.ts';
import { createMemberWriter } from './member-writer.ts';
import { readMembersCsv } from './members-csv-file.ts';
import { type MemberLine, parseMemberLine } from './members-csv-line.ts';

type ImportOptions = {
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly clock?: Clock;
};

const BATCH = 200;

/**
 * Throws IMPORT_UNREADABLE or IMPORT_NOT_AN_EXPORT with the publication as it was. Lines that cannot be taken do not
 * fail the import: the report lists them by number.
 */
export const importMembersCsv = async (
  store: Store,
  file: string,
  { onProgress, clock = systemClock }: ImportOptions = {},
): Promise<ImportReport> => {
  const nowMs = clock.now();
  const report = createReport();
  const stage = openStage();
  try {
    await store.write(
      async (writer) => {
        const members = await createMemberWriter({ writer, report, nowMs });
        const take = createSorter(report, stage);
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
        for await (const line of readMembersCsv(file, { onRead })) {
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

/** Lets each address pass once; what does not is in the report. */
const createSorter = (report: ReportBuilder, stage: Stage) => {
  const recent = new Set<string>();
  return (raw: Parameters<typeof parseMemberLine>[0]): MemberLine | null => {
    report.count('members', 'read');
    const line = parseMemberLine(raw);
    if ('reason' in line) {
      report.skip('members', `line ${raw.line}`, line);
      return null;
    }
    const email = foldEmail(line.email);
    if (recent.has(email) || stage.marked('kept', 'members', [email]).size > 0) {
      const reason = 'stands in an earlier line, too';
      report.skip('members', `line ${raw.line}`, { field: 'email', reason });
      return null;
    }
    recent.add(email);
    if (recent.size === BATCH) {
      stage.mark('kept', 'members', [...recent]);
      recent.clear();
    }
    return line;
  };
};
