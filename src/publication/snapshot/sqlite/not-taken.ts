// Rows of the source that is followed, or of the last import, which are not taken as they are, as a snapshot sees them.
import type { Preparing } from '../../../base/sqlite/driver.ts';
import { parseStored } from '../../../base/stored-json.ts';
import { type NotTaken, sourceProblem } from '../source-problem.ts';

export const readNotTaken = (statements: Preparing): NotTaken[] => {
  const rows = statements
    .prepare(
      `SELECT name, id, problem, since FROM followed_rows
       WHERE problem IS NOT NULL AND (
         json_extract(problem, '$.isOfImport')
         OR EXISTS (SELECT 1 FROM following WHERE detached_at IS NULL))
       ORDER BY since DESC, name, id`,
    )
    .all() as { name: string; id: string; problem: string; since: number }[];
  return rows.map(({ problem, ...row }) => ({
    ...row,
    ...parseStored(sourceProblem, problem, 'Why a row of the source was not taken'),
  }));
};
