// Cells that a spreadsheet would take for a formula: an apostrophe goes before them on the way out, as in Ghost, and is
// taken off on the way in. A cell that has one already gets another, so that each comes back as it was.

const TRIGGERS: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);

/** Whether a formula follows the apostrophes that the cell begins with, if any. */
const isTrigger = (cell: string): boolean => {
  let at = 0;
  while (cell.charAt(at) === "'") at += 1;
  return TRIGGERS.has(cell.charAt(at));
};

export const guardFormula = (cell: string): string => (isTrigger(cell) ? `'${cell}` : cell);

export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && isTrigger(cell) ? cell.slice(1) : cell;
