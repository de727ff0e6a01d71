// Names what could not be taken of a source: rows, and values of rows that were taken without them.
import { join } from 'node:path';
import type { ImportReport } from '../../publication/import/import-report.ts';
import { printFirst } from './print-import.ts';
import type { Report } from './report.ts';

export const printSkipped = (
  report: Report,
  { skipped, leftOut }: Pick<ImportReport, 'skipped' | 'leftOut'>,
): void => {
  printFirst(report, skipped, (row) => `Skipped ${named(row)}`);
  printFirst(report, leftOut, (row) => `Left out of ${named(row)}`);
};

const named = ({ table, id, field, reason }: ImportReport['skipped'][number]): string =>
  `${join(table, id)}: ${field} ${reason}`;
