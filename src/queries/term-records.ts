// Tags and authors as lists and records: they are few, so their keys are looked through. Runtime-neutral, and written so
// that the oldest of the edge runtimes can run it.
import { type Condition, compileFilter, type TextColumn } from './condition.ts';
import { decodeLines, type Lines } from './decode-chunk.ts';
import type { ListQuery, RecordShape } from './list-query.ts';
import { completeOrder, type OrderClause } from './order.ts';
import type { TermsName } from './resource.ts';
import { selectPage } from './select-page.ts';
import { listedSlugs } from './slug-list.ts';
import { findTerms, readTermCounts, readTermKeys } from './terms.ts';
import type { TermKeys, Terms } from './tree.ts';
import type { TreeStore } from './tree-store.ts';
import { encodeText, type Output, ownKeysWriter } from './write-records.ts';

export type FoundTerms = {
  readonly total: number;
  /** In the order of names. */
  readonly places: readonly number[];
};

type TermList = { readonly resource: TermsName; readonly terms: Terms };

export const findTermRecords = async (
  store: TreeStore,
  list: TermList,
  query: ListQuery,
): Promise<FoundTerms> => {
  const condition = query.filter === null ? null : compileFilter(list.resource, query.filter);
  const isCounted = query.order.some((clause) => clause.field === 'count.posts');
  const read = await Promise.all([
    readTermKeys(store, list.terms),
    isCounted ? readTermCounts(store, list.terms) : [],
  ]);
  const keys = read[0];
  const matched = condition === null ? everyPlace(keys) : markTerms(condition, keys);
  const slugs = query.order.length > 0 || condition === null ? null : listedSlugs(condition);
  const compare =
    slugs === null
      ? comparing(completeOrder(list.resource, query.order), { keys, counts: read[1] })
      : (a: number, b: number): number =>
          slugs.indexOf(keys.slug[a] as string) - slugs.indexOf(keys.slug[b] as string) || a - b;
  const from = (query.page - 1) * query.limit;
  const page = { count: matched.length, from, to: from + query.limit };
  const chosen = selectPage(page, (a, b) => compare(matched[a] as number, matched[b] as number));
  return { total: matched.length, places: chosen.map((item) => matched[item] as number) };
};

const everyPlace = (keys: TermKeys): number[] => keys.id.map((_id, place) => place);

const markTerms = (condition: Condition, keys: TermKeys): number[] => {
  const mask = evaluateTerms(condition, keys);
  return everyPlace(keys).filter((place) => mask[place] === 1);
};

const evaluateTerms = (condition: Condition, keys: TermKeys): Uint8Array => {
  const mask = new Uint8Array(keys.id.length);
  if (condition.kind === 'not') {
    const inner = evaluateTerms(condition.part, keys);
    return mask.map((_byte, place) => 1 - (inner[place] as number));
  }
  if (condition.kind === 'all' || condition.kind === 'any') {
    const parts = condition.parts.map((part) => evaluateTerms(part, keys));
    const needed = condition.kind === 'all' ? parts.length : 1;
    return mask.map((_byte, place) => {
      const holding = parts.filter((part) => part[place] === 1).length;
      return holding >= needed ? 1 : 0;
    });
  }
  if (condition.kind === 'text') {
    findTerms(keys, { column: condition.column as TextColumn, test: condition.test }).forEach(
      (place) => {
        mask[place] = 1;
      },
    );
  }
  return mask;
};

type TermColumns = { readonly keys: TermKeys; readonly counts: readonly number[] };

/** Places are the order of names. */
const comparing = (
  order: readonly OrderClause[],
  columns: TermColumns,
): ((a: number, b: number) => number) => {
  return (a, b) => {
    for (let at = 0; at < order.length; at += 1) {
      const clause = order[at] as OrderClause;
      const difference = compareBy(clause, columns, a, b);
      if (difference !== 0) return clause.isDown ? -difference : difference;
    }
    return a - b;
  };
};

const compareBy = (clause: OrderClause, columns: TermColumns, a: number, b: number): number => {
  if (clause.field === 'name') return a - b;
  if (clause.field === 'count.posts') {
    return (columns.counts[a] as number) - (columns.counts[b] as number);
  }
  const texts = clause.field === 'slug' ? columns.keys.slug : columns.keys.id;
  const one = texts[a] as string;
  const other = texts[b] as string;
  return one < other ? -1 : one > other ? 1 : 0;
};

/** The records at some places, with commas between them. */
export const writeTermRecords = async (
  store: TreeStore,
  terms: Terms,
  wanted: { readonly places: readonly number[]; readonly shape: RecordShape },
): Promise<Uint8Array[]> => {
  const shape = wanted.shape;
  const hasCount = shape.includes.indexOf('count.posts') !== -1;
  const blobs = blobsOf(terms);
  const needed = blobs.filter((blob) =>
    wanted.places.some((place) => place >= blob.from && place < blob.to),
  );
  const read = await Promise.all([
    Promise.all(needed.map((blob) => store.get(blob.name, decodeLines))),
    hasCount ? readTermCounts(store, terms) : [],
  ]);
  const counts = read[1];
  const writeOwn = ownKeysWriter(shape);
  const output: Output = { pieces: [], isBegun: false };
  wanted.places.forEach((place, at) => {
    if (at > 0) output.pieces.push(encodeText(','));
    const blobAt = needed.map((blob) => place >= blob.from && place < blob.to).indexOf(true);
    const from = (needed[blobAt] as TermBlob).from;
    writeOwn(output, read[0][blobAt] as Lines, place - from);
    const count = hasCount ? `"count":{"posts":${counts[place]}}` : '';
    output.pieces.push(encodeText(`${hasCount && output.isBegun ? ',' : ''}${count}}`));
  });
  return output.pieces;
};

type TermBlob = { readonly name: string; readonly from: number; readonly to: number };

const blobsOf = (terms: Terms): TermBlob[] => {
  let to = 0;
  return terms.records.map((entry) => {
    to += entry[1];
    return { name: entry[0], from: to - entry[1], to };
  });
};
