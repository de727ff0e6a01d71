// A members CSV imported to its end, as the command does it.
import type { ImportReport } from '../../src/publication/import/import-report.ts';
import {
  importReportOf,
  planMembersImport,
} from '../../src/publication/import/members-csv/members-csv.ts';
import { getJob } from '../../src/publication/store/members/bulk-jobs.ts';
import type { Store } from '../../src/publication/store/store.ts';
import { runBulkJobs } from '../../src/serve/server/member-jobs/run-bulk-jobs.ts';

export const importMembersCsv = async (
  store: Store,
  file: string,
  options: Parameters<typeof planMembersImport>[2] = {},
): Promise<ImportReport> => {
  const id = await planMembersImport(store, file, options);
  await runBulkJobs(store);
  return importReportOf(await getJob(store, id));
};
