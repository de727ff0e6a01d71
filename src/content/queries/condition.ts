// A filter as the executor evaluates it: groups of conditions, each of which reads what tells of one position after another
// whether it holds. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { joined, type Range, type Reader } from '../tree/columns.ts';
import type { Source } from './source.ts';

export type Leaf = {
  /** Reads what tells of each position of a range, asked in ascending order, whether the condition holds. */
  readonly open: (source: Source, range: Range) => Promise<Reader<boolean>>;
  /** Finds a range beyond which it does not hold. */
  readonly narrow?: (source: Source) => Promise<Range>;
  /** It holds in all of that range. */
  readonly isRange?: boolean;
  /** A record must have one of these. */
  readonly listed?: readonly string[];
  /** The number of posts for which it holds, where that is known without looking at them. */
  readonly count?: (source: Source) => Promise<number>;
  /** What holds where not this is asked for, if that is not everywhere else. */
  readonly opposite?: Leaf;
  readonly parts?: undefined;
};

/** Of groups nothing else is known. */
type Unknown = { readonly [K in Exclude<keyof Leaf, 'parts'>]?: undefined };

type Group = Unknown & {
  readonly kind: 'all' | 'any' | 'none';
  readonly parts: readonly Condition[];
};

export type Condition = Group | Leaf;

/** All of what must hold. */
export const partsOf = (condition: Condition): readonly Condition[] =>
  condition.parts && condition.kind === 'all' ? condition.parts : [condition];

/** The first slugs, more than one, among which all records of a filter must be. */
export const listedSlugs = (parts: readonly Condition[]): readonly string[] | null => {
  const lists = parts.map((part) => part.listed || []).filter((slugs) => slugs.length > 1);
  return lists[0] || null;
};

export const openCondition = async (
  source: Source,
  condition: Condition,
  range: Range,
): Promise<Reader<boolean>> => {
  if (condition.parts === undefined) return condition.open(source, range);
  const parts = await Promise.all(
    condition.parts.map((part) => openCondition(source, part, range)),
  );
  const kind = condition.kind;
  if (parts.length === 1 && kind !== 'none') return parts[0] as Reader<boolean>;
  return kind === 'all'
    ? (position) => parts.every((holds) => holds(position))
    : (position) => parts.some((holds) => holds(position)) === (kind === 'any');
};

/** Positions of the records with these ids or slugs, in their order. */
export const findAll = (
  source: Source,
  column: 'id' | 'slug',
  values: readonly string[],
): Promise<number[]> =>
  Promise.all(values.map((value) => source.lookUp(column, value))).then(joined);

export const ALWAYS: Condition = { kind: 'all', parts: [] };
export const NEVER: Condition = { kind: 'any', parts: [] };

/** What is always true, a clause on the status, is so whatever it compares with. */
export const not = (part: Condition): Condition =>
  part === ALWAYS ? part : part.opposite || { kind: 'none', parts: [part] };
