// What an import or a look brought, and what it had to leave out, in lines for people.
import { join } from 'node:path';
import { counted, shown } from '../../base/text/counted.ts';
import type { CopyReport } from '../../publication/import/images/images.ts';
import type { ImportReport } from '../../publication/import/import-report.ts';
import type { Report } from './report.ts';

/** `placed` is absent where a build places the files. */
export const printImported = (
  report: Report,
  { copied, unchanged, skipped, placed }: CopyReport & { readonly placed?: number },
): void => {
  const counts = `${counted(copied, 'file')} copied, ${shown(unchanged)} unchanged`;
  report.print(
    `Media: ${counts}${placed === undefined ? '' : `, ${shown(placed)} placed in the output`}.`,
  );
  const [first, second] = skipped;
  if (second !== undefined && skipped.every(({ reason }) => reason === first?.reason))
    report.print(
      `Skipped ${shown(skipped.length)} files, such as ${first?.path}: it ${first?.reason}.`,
    );
  else printFirst(report, skipped, ({ path, reason }) => `Skipped ${path}: it ${reason}.`);
};

/** Files were there to bring, and none could be. */
export const broughtNone = ({ copied, unchanged, skipped }: CopyReport): boolean =>
  copied + unchanged === 0 && skipped.length > 0;

const SHOWN_MAX = 50;

export const printFirst = <T>(
  report: Report,
  skipped: readonly T[],
  lineOf: (one: T) => string,
): void => {
  for (const one of skipped.slice(0, SHOWN_MAX)) report.print(lineOf(one));
  const more = skipped.length - SHOWN_MAX;
  if (more > 0) report.print(`... and ${more} more; --json lists all.`);
};

/** Names what could not be taken of a source: rows, and values of rows that were taken without them. */
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
