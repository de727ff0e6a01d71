// What is done with many members at once, as a message that a thread takes, and how it is done.
import { deleteMembersInBulk, editMembersInBulk } from '../../admin/bulk-members.ts';
import { PrepressError } from '../../base/errors.ts';
import type { MembersBulkInput } from '../../contract/admin/member-input.ts';
import { importMembersCsv } from '../../importers/members-csv.ts';
import { exportMembersCsv } from '../../importers/members-csv-export.ts';
import type { CsvLine } from '../../importers/members-csv-file.ts';
import type { Selection } from '../../store/member-bulk.ts';
import type { ExportQuery } from '../../store/member-export.ts';
import type { Store } from '../../store/store.ts';

export type MemberJob =
  | {
      readonly does: 'import';
      readonly nowMs: number;
      readonly file: string;
      readonly mapping: Readonly<Record<string, string>> | undefined;
      readonly labels: readonly string[];
    }
  | { readonly does: 'export'; readonly file: string; readonly query: ExportQuery }
  | {
      readonly does: 'edit';
      readonly nowMs: number;
      readonly selection: Selection;
      readonly input: MembersBulkInput;
    }
  | { readonly does: 'delete'; readonly nowMs: number; readonly selection: Selection };

/** A line that was not taken: what it says, and why not. */
export type RefusedLine = { readonly line: number; readonly error: string } & {
  readonly [column: string]: string | number;
};

export type JobResult = {
  /** Members that were taken, written or chosen. */
  readonly members: number;
  /** Lines of the file of an import. */
  readonly lines: number;
  /** Lines of an import that were not taken: the first 10,000, or those that fit into some megabytes. */
  readonly refused: readonly RefusedLine[];
  readonly unlisted: number;
  readonly warnings: readonly string[];
};

const REFUSED_MAX = 10_000;
const REFUSED_CHARS_MAX = 4_000_000;
/** What messages call the file. */
const UPLOADED = 'membersfile';

/** Throws what its use case throws; VALIDATION for a file that is no members CSV. */
export const runMemberJob = async (store: Store, job: MemberJob): Promise<JobResult> => {
  switch (job.does) {
    case 'import':
      return importUpload(store, job);
    case 'export':
      return done(exportMembersCsv(store, job.file, job.query));
    case 'edit':
      return done(await editMembersInBulk({ store, nowMs: job.nowMs }, job.selection, job.input));
    case 'delete':
      return done(await deleteMembersInBulk({ store, nowMs: job.nowMs }, job.selection));
  }
};

const done = (members: number): JobResult => ({
  members,
  lines: 0,
  refused: [],
  unlisted: 0,
  warnings: [],
});

const importUpload = async (
  store: Store,
  { nowMs, file, mapping, labels }: Extract<MemberJob, { readonly does: 'import' }>,
): Promise<JobResult> => {
  const refused: RefusedLine[] = [];
  let chars = 0;
  let unlisted = 0;
  const onRefused = ({ line, fields }: CsvLine, why: { field: string; reason: string }): void => {
    const shown = { ...fields, line, error: `${why.field} ${why.reason}.` };
    chars += JSON.stringify(shown).length;
    if (refused.length < REFUSED_MAX && chars < REFUSED_CHARS_MAX) refused.push(shown);
    else unlisted += 1;
  };
  try {
    const { tables, warnings } = await importMembersCsv(store, file, {
      clock: { now: () => nowMs },
      upload: { mapping, labels, onRefused, name: UPLOADED },
    });
    const { read = 0, added = 0, changed = 0, unchanged = 0 } = tables.members ?? {};
    return { members: added + changed + unchanged, lines: read, refused, unlisted, warnings };
  } catch (error) {
    if (!(error instanceof PrepressError) || error.code !== 'IMPORT_NOT_AN_EXPORT') throw error;
    throw new PrepressError('VALIDATION', `${error.message} Nothing was imported.`, {
      property: UPLOADED,
      cause: error,
    });
  }
};
