// A members CSV imported to its end, as the command does it.
import type { ImportReport } from '../../src/importers/import-report.ts';
import { importReportOf, planMembersImport } from '../../src/importers/members-csv.ts';
import { runBulkJobs } from '../../src/server/member-jobs/run-bulk-jobs.ts';
import { getJob } from '../../src/store/bulk-jobs.ts';
import type { Store } from '../../src/store/store.ts';

export const importMembersCsv = async (
  store: Store,
  file: string,
  options: Parameters<typeof planMembersImport>[2] = {},
): Promise<ImportReport> => {
  const id = await planMembersImport(store, file, options);
  await runBulkJobs(store);
  return importReportOf(await getJob(store.reader, id));
};
