// Looks up what a condition names: records by id and slug, tags and authors by their keys. What comes out is evaluated
// on columns alone. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import type { Condition } from './condition.ts';
import { findKeys } from './index-table.ts';
import type { Mark } from './mark.ts';
import { findRecordLines } from './records.ts';
import { findTerms, readTermKeys, termIds } from './terms.ts';
import type { Collection, Entry, Root, TermKeys } from './tree.ts';
import type { TreeStore } from './tree-store.ts';

export type Scope = {
  readonly store: TreeStore;
  readonly root: Root;
  readonly collection: Collection;
  /** Directories that the answer's records are cut from; whatever else has to find a record looks there too. */
  readonly directories: readonly Entry[];
};

type KeysCondition = Extract<Condition, { readonly kind: 'keys' }>;
type TermsCondition = Extract<Condition, { readonly kind: 'terms' }>;

export const lookUp = async (scope: Scope, condition: Condition): Promise<Mark> => {
  if (condition.kind === 'all' || condition.kind === 'any') {
    const parts = await Promise.all(condition.parts.map((part) => lookUp(scope, part)));
    return { kind: condition.kind, parts };
  }
  if (condition.kind === 'not') {
    const part = await lookUp(scope, condition.part);
    return { kind: 'not', part };
  }
  if (condition.kind === 'keys') {
    const found = await findPositions(scope, condition);
    return { kind: 'positions', positions: found.map((one) => one.position) };
  }
  return condition.kind === 'terms' ? lookUpTerms(scope, condition) : condition;
};

/** `at`: which of the condition's values it has. */
export type Candidate = { readonly position: number; readonly at: number };

export const findPositions = async (
  scope: Scope,
  condition: KeysCondition,
): Promise<Candidate[]> => {
  const collection = scope.collection;
  const directory = condition.column === 'id' ? collection.ids : collection.slugs;
  const keys = await Promise.all(
    condition.values.map((value) =>
      findKeys(scope.store, directory, { column: condition.column, value }),
    ),
  );
  const places: number[] = [];
  keys.forEach((some, at) => {
    some.forEach(() => {
      places.push(at);
    });
  });
  const flat = keys.reduce((all, some) => all.concat(some), []);
  if (flat.length === 0) return [];
  const found = await findRecordLines(scope.store, scope.directories, flat);
  return found.map((one, at) => ({ position: one.position, at: places[at] as number }));
};

const lookUpTerms = async (scope: Scope, condition: TermsCondition): Promise<Mark> => {
  const family = condition.family;
  // A first tag that is not public is no primary one.
  const isPublicOnly = condition.isPrimary && family === 'tags';
  const test = condition.test;
  if (test === null && !isPublicOnly) {
    return { kind: 'links', family, isPrimary: condition.isPrimary, ids: null };
  }
  const keys = await readTermKeys(scope.store, scope.root[family]);
  const passing =
    test === null ? allPlaces(keys) : findTerms(keys, { column: condition.column, test });
  const places = isPublicOnly
    ? passing.filter((place) => keys.visibility[place] === 'public')
    : passing;
  return { kind: 'links', family, isPrimary: condition.isPrimary, ids: termIds(keys, places) };
};

const allPlaces = (keys: TermKeys): number[] => keys.id.map((_id, place) => place);
