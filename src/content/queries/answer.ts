// The executor: answers of the content interface as pieces of bytes, cut out of the packed tree (decisions, Queries).
// One text for every host that runs code. An answer reads the root once, and everything below it has the name of its
// bytes, so an answer is of one state of the publication; where a blob of an old root is gone, it is begun once more
// with a fresh one. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.

import { encodeText } from '../tree/decode-chunk.ts';
import { type Root, TREE_FORMAT } from '../tree/tree.ts';
import { isMissingBlob, type TreeStore } from '../tree/tree-store.ts';
import { openCollection } from './collection.ts';
import { findRecords } from './find-records.ts';
import {
  type ListQuery,
  parseListQuery,
  parseRecordQuery,
  type RecordShape,
} from './list-query.ts';
import { isTermsName, type ListResource } from './resource.ts';
import type { Source, Tree } from './source.ts';
import { openTerms } from './terms.ts';

export type RecordKey = {
  readonly column: 'id' | 'slug';
  readonly value: string;
  /** What the client looked it up by, where that is another one. */
  readonly shown?: 'slug';
};

/** An answer whose records are found, and written part by part: who writes holds no more blobs than a part needs. */
export type OpenAnswer = {
  readonly opening: Uint8Array;
  readonly records: number;
  /** The records from place `from` on, before place `to`, with the comma that belongs before them. */
  readonly write: (from: number, to: number) => Promise<Uint8Array[]>;
  readonly ending: Uint8Array;
};

/** The body of a list. Rejects with a QueryProblem for a query that cannot be answered. */
export const answerList = (
  store: TreeStore,
  resource: ListResource,
  asked: { readonly rawQuery: string; readonly nowMs: number },
): Promise<Uint8Array[]> =>
  answer(store, (tree) => {
    const options = { max: tree.root.max, nowMs: asked.nowMs };
    return openList(tree, resource, parseListQuery(resource, asked.rawQuery, options));
  });

/** The body of a read by id or slug; null when there is no such record. Rejects with a QueryProblem. */
export const answerRecord = (
  store: TreeStore,
  resource: ListResource,
  asked: { readonly key: RecordKey; readonly rawQuery: string },
): Promise<Uint8Array[] | null> =>
  answer(store, (tree) => {
    const shape = parseRecordQuery(resource, asked.rawQuery);
    return openRecord(tree, resource, { key: asked.key, shape });
  });

const answer = <T extends OpenAnswer | null>(
  store: TreeStore,
  open: (tree: Tree) => Promise<T>,
): Promise<Uint8Array[] | Extract<T, null>> =>
  readTree(store, (root) =>
    open({ store, root }).then((found) =>
      found === null
        ? (found as Extract<T, null>)
        : found
            .write(0, found.records)
            .then((pieces) => [found.opening].concat(pieces, found.ending)),
    ),
  );

/** Works on the root, and once more on a fresh one when a blob of it is gone. Rejects with a MissingBlob. */
export const readTree = <T>(store: TreeStore, work: (root: Root) => Promise<T>): Promise<T> => {
  const answer = (isFresh: boolean): Promise<T> =>
    store.root(isFresh).then((root) => {
      if (root.format !== TREE_FORMAT) throw new Error('The packed tree has another format.');
      return work(root);
    });
  return answer(false).catch((error) => {
    if (!isMissingBlob(error)) throw error;
    return answer(true);
  });
};

export const openList = async (
  tree: Tree,
  resource: ListResource,
  query: ListQuery,
): Promise<OpenAnswer> => {
  const source = openSource(tree, resource, query);
  const found = await findRecords(source, resource, query);
  const meta = JSON.stringify({ pagination: paginationOf(query, found.total) });
  return openAnswer(source, resource, {
    positions: found.positions,
    ending: `],"meta":${meta}}`,
  });
};

/** `prev` of a page past the end is the last page there is. */
const paginationOf = (query: ListQuery, total: number) => {
  const pages = Math.max(1, Math.ceil(total / query.limit));
  return {
    page: query.page,
    limit: query.limit,
    pages,
    total,
    next: query.page < pages ? query.page + 1 : null,
    prev: Math.min(query.page - 1, pages) || null,
  };
};

type Read = { readonly key: RecordKey; readonly shape: RecordShape };

/** Finds a record; null when there is none. */
export const openRecord = async (
  tree: Tree,
  resource: ListResource,
  read: Read,
): Promise<OpenAnswer | null> => {
  const key = read.key;
  const shape = withField(read.shape, key.shown || key.column);
  const source = openSource(tree, resource, shape);
  const found = await source.lookUp(key.column, key.value);
  if (found.length === 0) return null;
  return openAnswer(source, resource, { positions: found.slice(0, 1), ending: ']}' });
};

/** What a record was looked up by is always shown (facts 1.2). */
const withField = (shape: RecordShape, name: string): RecordShape => {
  const fields = shape.fields;
  return fields === null ? shape : Object.assign({}, shape, { fields: fields.concat(name) });
};

const openSource = (tree: Tree, resource: ListResource, shape: RecordShape): Source =>
  isTermsName(resource) ? openTerms(tree, resource, shape) : openCollection(tree, resource, shape);

type Found = { readonly positions: readonly number[]; readonly ending: string };

const openAnswer = (source: Source, resource: ListResource, found: Found): OpenAnswer => ({
  opening: encodeText(`{"${resource}":[`),
  records: found.positions.length,
  write: async (from, to) => {
    if (from === to) return [];
    const pieces = await source.write(found.positions.slice(from, to));
    return from === 0 ? pieces : [encodeText(',')].concat(pieces);
  },
  ending: encodeText(found.ending),
});
