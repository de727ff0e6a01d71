// Decides whether a regular expression takes time that grows with the text only, by its form: each choice is
// made by the next character, and no attempt that fails reads what a later attempt reads again. Sound and
// simple: some harmless expressions are refused, no harmful one is let through.
import { type Characters, type Part, parsePattern } from './pattern-parts.ts';

/** Ways through a pattern outside of its loops: a constant factor, as long as it is a small one. */
const WAYS_MAX = 1_000;
/** A bounded pattern is tried at each place of a text. */
const BOUNDED_MAX = 1_000;

/** Why the expression may take longer than its text is long; null when it cannot. */
export const findFault = (source: string, flags: string): string | null => {
  try {
    const branches = branchesOf(parsePattern(source, flags));
    const ways = branches.reduce((sum, branch) => sum + countWays(branch, EMPTY, false), 0);
    if (ways > WAYS_MAX) return 'there are too many ways through it';
    return branches.map((branch) => searchFault(branch, flags)).find((one) => one !== null) ?? null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
};

class Fault extends Error {}

const EMPTY: Characters = new Uint32Array(0);

const branchesOf = (part: Part): readonly Part[] =>
  part.kind === 'choice' ? part.parts.flatMap(branchesOf) : [part];

const union = (a: Characters, b: Characters): Characters => {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return a.map((value, at) => value | (b[at] ?? 0));
};

const overlaps = (a: Characters, b: Characters): boolean =>
  a.some((value, at) => (value & (b[at] ?? 0)) !== 0);

const isNullable = (part: Part): boolean => {
  switch (part.kind) {
    case 'set':
      return false;
    case 'assertion':
      return true;
    case 'row':
      return part.parts.every(isNullable);
    case 'choice':
      return part.parts.some(isNullable);
    case 'repeat':
      return part.min === 0 || isNullable(part.body);
  }
};

/** The characters that it may begin with. */
const firstOf = (part: Part): Characters => {
  switch (part.kind) {
    case 'set':
      return part.characters;
    case 'assertion':
      return EMPTY;
    case 'row':
      return firstOfRow(part.parts, EMPTY);
    case 'choice':
      return part.parts.map(firstOf).reduce(union, EMPTY);
    case 'repeat':
      return firstOf(part.body);
  }
};

const firstOfRow = (parts: readonly Part[], follow: Characters): Characters => {
  let first: Characters = EMPTY;
  for (const part of parts) {
    first = union(first, firstOf(part));
    if (!isNullable(part)) return first;
  }
  return union(first, follow);
};

/** All characters that it may read. */
const readBy = (part: Part): Characters => {
  switch (part.kind) {
    case 'set':
      return part.characters;
    case 'assertion':
      return EMPTY;
    case 'repeat':
      return readBy(part.body);
    default:
      return part.parts.map(readBy).reduce(union, EMPTY);
  }
};

const lengthMax = (part: Part): number => {
  switch (part.kind) {
    case 'set':
      return 1;
    case 'assertion':
      return 0;
    case 'row':
      return part.parts.reduce((sum, one) => sum + lengthMax(one), 0);
    case 'choice':
      return Math.max(0, ...part.parts.map(lengthMax));
    case 'repeat':
      return part.max === 0 ? 0 : part.max * lengthMax(part.body);
  }
};

/** Throws Fault where a choice is not made by the next character, within a loop or by a loop's end. */
const countWays = (part: Part, follow: Characters, isInLoop: boolean): number => {
  switch (part.kind) {
    case 'set':
      return 1;
    case 'assertion':
      if (part.body !== null && lengthMax(part.body) > BOUNDED_MAX) {
        throw new Fault('it looks ahead or behind without bound');
      }
      return part.body === null ? 1 : countWays(part.body, EMPTY, isInLoop);
    case 'row':
      return part.parts.reduce((ways, one, at) => {
        const next = firstOfRow(part.parts.slice(at + 1), follow);
        return ways * countWays(one, next, isInLoop);
      }, 1);
    case 'choice': {
      const ways = part.parts.map((one) => countWays(one, follow, isInLoop));
      const starts = part.parts.map((one) => firstOfRow([one], follow));
      const isClear = starts.every(
        (start, at) => !starts.slice(at + 1).some((other) => overlaps(start, other)),
      );
      if (isClear) return Math.max(...ways);
      if (isInLoop) throw new Fault('a loop holds alternatives that begin alike');
      return ways.reduce((sum, one) => sum + one, 0);
    }
    case 'repeat':
      return countRepeat(part, follow, isInLoop);
  }
};

const countRepeat = (
  { body, min, max }: Extract<Part, { kind: 'repeat' }>,
  follow: Characters,
  isInLoop: boolean,
): number => {
  const isLoop = max > 1;
  const ways = countWays(body, isLoop ? union(follow, firstOf(body)) : follow, isInLoop || isLoop);
  if (max === Number.POSITIVE_INFINITY && isNullable(body)) {
    throw new Fault('a loop holds what may be empty');
  }
  if (min === max || !overlaps(firstOf(body), follow)) return ways;
  if (isInLoop) throw new Fault('a loop holds a part that may end in two ways');
  const isBounded = max === 1 || max * lengthMax(body) <= BOUNDED_MAX;
  if (!isBounded) throw new Fault('a loop is followed by what it may read itself');
  return ways * (max - min + 1);
};

/** An expression without a fixed beginning is tried at each place: attempts must not read the same. */
const searchFault = (branch: Part, flags: string): string | null => {
  const parts = branch.kind === 'row' ? branch.parts : [branch];
  const [first, ...rest] = parts;
  if (first === undefined || lengthMax(branch) <= BOUNDED_MAX) return null;
  if (first.kind === 'assertion' && first.isStart && !flags.includes('m')) return null;
  const loop = parts.findIndex((part) => lengthMax(part) > BOUNDED_MAX);
  const last = parts[loop];
  const isFinal =
    last?.kind === 'repeat' &&
    last.body.kind === 'set' &&
    parts.slice(loop + 1).every((part) => isNullable(part) && part.kind !== 'assertion');
  if (isFinal) return null;
  const read = rest.map(readBy).reduce(union, EMPTY);
  if (first.kind === 'set' && !overlaps(first.characters, read)) return null;
  return 'it has no fixed beginning, and attempts may read the same text again';
};
