// Says which field of which row cannot be rendered. A row problem fails the build; the build gathers
// the problems of all rows before it reports them, so a renderer throws all that one row has.
import { PrepressError } from '../base/errors.ts';

export type RowProblem = {
  readonly table: string;
  readonly id: string;
  readonly field: string;
  /** Ends the sentence "posts 6b00... published_at ...". */
  readonly reason: string;
};

/** The error of one row: code BUILD_INPUT_INVALID, `details` is `RowProblem[]`. */
export const createRowError = (problems: readonly RowProblem[]): PrepressError => {
  const lines = problems.map(
    ({ table, id, field, reason }) => `${table} ${id}: ${field} ${reason}`,
  );
  return new PrepressError(
    'BUILD_INPUT_INVALID',
    `A row of the database cannot be rendered: ${lines.join('; ')}.`,
    { details: problems },
  );
};
