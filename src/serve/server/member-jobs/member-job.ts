// What is asked for many members at once, as a message that a thread takes. A change is planned only: what is to be done
// with each member is kept, and run-bulk-jobs.ts does it.
import * as z from 'zod';
import { ERRORS, PrepressError } from '../../../base/errors.ts';
import { planMembersImport } from '../../../publication/import/members-csv/members-csv.ts';
import { exportMembersCsv } from '../../../publication/import/members-csv/members-csv-export.ts';
import type { CsvLine } from '../../../publication/import/members-csv/members-csv-file.ts';
import type { ExportQuery } from '../../../publication/store/members/member-export.ts';
import type { Store } from '../../../publication/store/store.ts';
import {
  planBulkDelete,
  planBulkEdit,
  planBulkSubscribe,
  type Selected,
} from '../../admin/members/bulk-members.ts';
import type { MembersBulkInput } from '../../contract/input/member-input.ts';
import { runBulkJobs } from './run-bulk-jobs.ts';

type ImportUpload = {
  readonly does: 'import';
  readonly nowMs: number;
  readonly file: string;
  /** What it is called where it comes from. */
  readonly name: string;
  readonly mapping: Readonly<Record<string, string>> | undefined;
  readonly labels: readonly string[];
  /** That of `labels` which names this import. */
  readonly importLabel: string;
};

export type PlannedJob =
  | ImportUpload
  | {
      readonly does: 'edit';
      readonly nowMs: number;
      readonly selection: Selected;
      readonly input: MembersBulkInput;
    }
  | { readonly does: 'delete'; readonly nowMs: number; readonly selection: Selected }
  | { readonly does: 'subscribe'; readonly nowMs: number; readonly newsletterId: string };

export type MemberJob =
  | PlannedJob
  | { readonly does: 'export'; readonly file: string; readonly query: ExportQuery }
  /** All that was planned. */
  | { readonly does: 'run' };

/** A line that was not taken: what it says, and why not. */
const refusedLine = z
  .object({ line: z.number(), error: z.string() })
  .catchall(z.union([z.string(), z.number()]));
type RefusedLine = z.output<typeof refusedLine>;

/** What the journal keeps of an upload beside the report of its import. */
export const uploadExtras = z.object({
  importLabel: z.string(),
  /** Lines that were not taken: the first 10,000, or those that fit into some megabytes. */
  refused: z.array(refusedLine),
  unlisted: z.number(),
});
type UploadExtras = z.output<typeof uploadExtras>;

const REFUSED_MAX = 10_000;
const REFUSED_CHARS_MAX = 4_000_000;
/** The part, and what messages call a file without a name. */
const UPLOADED = 'membersfile';

/** Answers the id of what was planned. Throws what its use case throws; VALIDATION for a file that is no members CSV. */
export const runMemberJob = async (store: Store, job: MemberJob): Promise<string | null> => {
  switch (job.does) {
    case 'import':
      return planUpload(store, job);
    case 'edit':
      return planBulkEdit({ store, nowMs: job.nowMs }, job.selection, job.input);
    case 'delete':
      return planBulkDelete({ store, nowMs: job.nowMs }, job.selection);
    case 'subscribe':
      return planBulkSubscribe({ store, nowMs: job.nowMs }, job.newsletterId);
    case 'export':
      exportMembersCsv(store, job.file, job.query);
      return null;
    case 'run':
      await runBulkJobs(store);
      return null;
  }
};

const planUpload = async (
  store: Store,
  { nowMs, file, name, mapping, labels, importLabel }: ImportUpload,
): Promise<string> => {
  const refused: RefusedLine[] = [];
  let chars = 0;
  let unlisted = 0;
  const onRefused = ({ line, fields }: CsvLine, why: { field: string; reason: string }): void => {
    const shown = { ...fields, line, error: `${why.field} ${why.reason}.` };
    chars += JSON.stringify(shown).length;
    if (refused.length < REFUSED_MAX && chars < REFUSED_CHARS_MAX) refused.push(shown);
    else unlisted += 1;
  };
  // What is refused stands there with its cells already.
  const extras = (): UploadExtras & { readonly skipped: [] } => ({
    importLabel,
    refused,
    unlisted,
    skipped: [],
  });
  try {
    return await planMembersImport(store, file, {
      clock: { now: () => nowMs },
      mapping,
      upload: { labels, onRefused, name: name || UPLOADED },
      extras,
    });
  } catch (error) {
    if (!isOfFile(error)) throw error;
    const { message, code } = error;
    throw new PrepressError('VALIDATION', `${message} ${ERRORS[code].hint} Nothing was imported.`, {
      property: UPLOADED,
      cause: error,
    });
  }
};

const isOfFile = (error: unknown): error is PrepressError =>
  error instanceof PrepressError &&
  (error.code === 'MEMBERS_CSV_INVALID' || error.code === 'COLUMNS_UNCLEAR');
