// What of a collection a filter leaves to be looked at. Bounds of published_at that are and-ed are two searches, and an
// and-ed id or slug is one look-up; only what is left of the filter needs columns, and only there. Runtime-neutral, and
// written so that the oldest of the edge runtimes can run it.
import type { Range } from './columns.ts';
import type { Condition } from './condition.ts';
import { type Chunk, decodeChunk } from './decode-chunk.ts';
import { getDirectory, type Listing, listingOf, partAt } from './locate.ts';
import { findPositions, type Scope } from './look-up.ts';
import type { Entry } from './tree.ts';

export type Window = {
  /** In their order, apart from each other. */
  readonly ranges: readonly Range[];
  /** What must hold besides; null: nothing. */
  readonly rest: Condition | null;
  /** The and-ed ids or slugs that the ranges are of. */
  readonly listed: Listed | null;
};

export type Listed = {
  readonly values: readonly string[];
  /** By position: the place of the record's value among these. */
  readonly places: Readonly<Record<number, number>>;
};

export const openWindow = async (scope: Scope, condition: Condition): Promise<Window> => {
  const parts = condition.kind === 'all' ? condition.parts : [condition];
  const keysAt = keysPart(parts);
  const keys = keysAt === -1 ? null : (parts[keysAt] as KeysCondition);
  const rest = parts.filter((part, at) => at !== keysAt && !isBound(part));
  const found = await Promise.all([
    boundsOf(scope, parts),
    keys === null ? [] : findPositions(scope, keys),
  ]);
  const whole = found[0];
  const left: Condition | null = rest.length < 2 ? rest[0] || null : { kind: 'all', parts: rest };
  if (keys === null) return { ranges: [whole], rest: left, listed: null };
  const candidates = found[1].sort((a, b) => a.position - b.position || a.at - b.at);
  const places: Record<number, number> = {};
  const ranges: Range[] = [];
  candidates.forEach((candidate) => {
    const position = candidate.position;
    if (position < whole.from || position >= whole.to || places[position] !== undefined) return;
    places[position] = candidate.at;
    ranges.push({ from: position, to: position + 1 });
  });
  return { ranges, rest: left, listed: { values: keys.values, places } };
};

type KeysCondition = Extract<Condition, { readonly kind: 'keys' }>;

/** The and-ed slugs in whose order records may be listed, or else the first ids or slugs. */
const keysPart = (parts: readonly Condition[]): number => {
  const listed = parts.map(isListed).indexOf(true);
  return listed === -1 ? parts.map((part) => part.kind).indexOf('keys') : listed;
};

const isListed = (part: Condition): boolean =>
  part.kind === 'keys' && part.column === 'slug' && part.values.length > 1;

type Bound = Extract<Condition, { readonly kind: 'time' }>;

const isBound = (part: Condition): part is Bound =>
  part.kind === 'time' &&
  part.column === 'published' &&
  part.times.length === 1 &&
  part.operator !== '!=';

/** Newer records come first, so lower bounds of times are upper bounds of positions. */
const boundsOf = async (scope: Scope, parts: readonly Condition[]): Promise<Range> => {
  const bounds = parts.filter(isBound);
  const found = await Promise.all(bounds.map((bound) => boundOf(scope, bound)));
  let from = 0;
  let to = scope.collection.total;
  found.forEach((range) => {
    from = Math.max(from, range.from);
    to = Math.min(to, range.to);
  });
  return { from, to: Math.max(from, to) };
};

const boundOf = async (scope: Scope, bound: Bound): Promise<Range> => {
  const ms = bound.times[0] as number;
  const operator = bound.operator;
  if (operator === '=') {
    const counts = await Promise.all([countNewer(scope, ms, false), countNewer(scope, ms, true)]);
    return { from: counts[0], to: counts[1] };
  }
  const count = await countNewer(scope, ms, operator === '>=' || operator === '<');
  const isLower = operator === '>' || operator === '>=';
  return isLower ? { from: 0, to: count } : { from: count, to: scope.collection.total };
};

/** How many records are newer than a time; or newer, or of that time. */
const countNewer = async (scope: Scope, ms: number, isInclusive: boolean): Promise<number> => {
  const directories = listingOf(scope.directories);
  const place = placeOf(directories, ms, isInclusive);
  if (place === -1) return scope.collection.total;
  const directory = await getDirectory(scope.store, directories.entries[place] as Entry);
  const at = Math.max(0, placeOf(directory, ms, isInclusive));
  const part = partAt(directory, directories.starts[place] as number, at);
  const chunk: Chunk = await scope.store.get(part.name, decodeChunk);
  const times = chunk.head.ms;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isCounted(times[middle] as number, ms, isInclusive)) low = middle + 1;
    else high = middle;
  }
  return part.from + low;
};

const isCounted = (time: number, ms: number, isInclusive: boolean): boolean =>
  time > ms || (isInclusive && time === ms);

/** The first entry whose oldest record is not counted, or -1. */
const placeOf = (listing: Listing, ms: number, isInclusive: boolean): number => {
  const entries = listing.entries;
  for (let at = 0; at < entries.length; at += 1) {
    if (!isCounted((entries[at] as Entry)[2], ms, isInclusive)) return at;
  }
  return -1;
};
