// Says which field of which row cannot be rendered. The build gathers the problems of all rows before it sets
// those rows aside or fails, so a renderer throws all that one row has.
import { PrepressError } from '../../base/errors.ts';

export type RowProblem = {
  readonly table: string;
  readonly id: string;
  readonly field: string;
  /** Ends the sentence "posts 6b00... published_at ...". */
  readonly reason: string;
};

/** The error of a build: code BUILD_INPUT_INVALID, `details` is `RowProblem[]`. There is one problem or more. */
export const rowsError = (problems: readonly RowProblem[]): PrepressError => {
  const [first = { table: '', id: '', field: '', reason: '' }] = problems;
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  const { table, id, field, reason } = first;
  return new PrepressError(
    'BUILD_INPUT_INVALID',
    `Row ${shownId(id)} of ${table} cannot be rendered (${field}: ${reason})${more}.`,
    { details: problems },
  );
};

const SHOWN_ID_MAX = 60;

/** As JSON writes it: an id of any text may be long, and may hold what a terminal obeys. */
export const shownId = (id: string): string =>
  JSON.stringify(id).slice(1, -1).slice(0, SHOWN_ID_MAX);

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
