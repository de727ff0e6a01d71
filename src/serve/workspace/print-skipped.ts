// Names what could not be taken of a source: rows, and values of rows that were taken without them.
import { join } from 'node:path';
import type { ImportReport } from '../../publication/import/import-report.ts';
import { printFirst } from './print-import.ts';
import type { Report } from './report.ts';

export const printSkipped = (
  report: Report,
  { skipped, leftOut }: Pick<ImportReport, 'skipped' | 'leftOut'>,
): void => {
  printFirst(
    report,
    skipped,
    ({ table, id, field, reason }) => `Skipped ${join(table, id)}: ${field} ${reason}`,
  );
  printFirst(
    report,
    leftOut,
    ({ table, id, field, reason }) =>
      `Imported ${join(table, id)} without a usable ${field}: it ${reason}`,
  );
};
