// Finds the name that a mistyped one most likely stands for.

/**
 * The nearest of `names`, whatever its case and separators, where a last word that is one of them is the nearest, else the
 * first that begins so; null when none is near. What stands before a dot does not make a name nearer.
 */
export const findNearestName = <T extends string>(name: string, names: Iterable<T>): T | null => {
  const wanted = fold(name);
  const known = [...names];
  const lastWord = name.split(/[_ -]/).at(-1);
  let nearest = known.find((candidate) => candidate === lastWord) ?? null;
  const own = fold(name.slice(name.lastIndexOf('.') + 1));
  let leastEdits = nearest === null ? Math.max(1, Math.floor(own.length / 3)) + 1 : 1;
  for (const candidate of known) {
    const edits = countEdits(wanted, fold(candidate));
    if (edits >= leastEdits) continue;
    nearest = candidate;
    leastEdits = edits;
  }
  if (nearest !== null || wanted.length < BEGINNING_MIN) return nearest;
  return known.find((candidate) => fold(candidate).startsWith(wanted)) ?? null;
};

const BEGINNING_MIN = 3;

/** Longer names are typed by nobody, and would take long to compare. */
const UNITS_MAX = 60;

const fold = (name: string): string =>
  name
    .slice(0, UNITS_MAX)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Letters to add, drop or replace, and neighbours to swap, until `one` is `other`. */
const countEdits = (one: string, other: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + Number(!isSame),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
};

const at = (counts: readonly number[], index: number): number =>
  counts[index] ?? Number.POSITIVE_INFINITY;
