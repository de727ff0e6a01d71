// The executor: answers of the content interface as pieces of bytes, cut out of the packed tree (decisions, Queries).
// One text for every host that runs code. An answer reads the root once, and everything below it has the name of its
// bytes, so an answer is of one state of the publication; where a blob of an old root is gone, it is begun once more
// with a fresh one. Runtime-neutral, and written so that the oldest of the edge runtimes can run it.
import { findRecords } from './find-records.ts';
import { findKeys } from './index-table.ts';
import {
  type ListQuery,
  parseListQuery,
  parseRecordQuery,
  type RecordShape,
} from './list-query.ts';
import type { CollectionName, ListResource, TermsName } from './resource.ts';
import { isTermsName } from './resource.ts';
import { findTermRecords, writeTermRecords } from './term-records.ts';
import { readTermKeys } from './terms.ts';
import { type Root, TREE_FORMAT } from './tree.ts';
import { isMissingBlob, type TreeStore } from './tree-store.ts';
import { directoriesOf, encodeText, writeRecords } from './write-records.ts';

/** `shown`: the key that the client looked it up by, where that is another one. */
export type RecordKey =
  | { readonly id: string; readonly shown?: 'slug' }
  | { readonly slug: string };

export type Tree = { readonly store: TreeStore; readonly root: Root };

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
  readTree(store, (root) => {
    const options = { max: root.max, nowMs: asked.nowMs };
    const query = parseListQuery(resource, asked.rawQuery, options);
    return openList({ store, root }, resource, query).then(writeAnswer);
  });

/** The same of a query that was read; its limit may be beyond `lists.max`. */
export const answerQuery = (
  store: TreeStore,
  resource: ListResource,
  query: ListQuery,
): Promise<Uint8Array[]> =>
  readTree(store, (root) => openList({ store, root }, resource, query).then(writeAnswer));

/** The body of a read by id or slug; null when there is no such record. Rejects with a QueryProblem. */
export const answerRecord = (
  store: TreeStore,
  resource: ListResource,
  asked: { readonly key: RecordKey; readonly rawQuery: string },
): Promise<Uint8Array[] | null> =>
  readTree(store, (root) => {
    const shape = parseRecordQuery(resource, asked.rawQuery);
    return openRecord({ store, root }, resource, { key: asked.key, shape }).then((answer) =>
      answer === null ? null : writeAnswer(answer),
    );
  });

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

const writeAnswer = (answer: OpenAnswer): Promise<Uint8Array[]> =>
  answer.write(0, answer.records).then((pieces) => [answer.opening].concat(pieces, answer.ending));

/** Finds the records of a list. */
export const openList = async (
  tree: Tree,
  resource: ListResource,
  query: ListQuery,
): Promise<OpenAnswer> => {
  const found = isTermsName(resource)
    ? await listTerms(tree, resource, query)
    : await listRecords(tree, resource, query);
  const meta = JSON.stringify({ pagination: paginationOf(query, found.total) });
  const ending = encodeText(`],"meta":${meta}}`);
  return openAnswer(resource, found, ending);
};

const COMMA = encodeText(',');

const openAnswer = (resource: ListResource, found: Found, ending: Uint8Array): OpenAnswer => ({
  opening: encodeText(`{"${resource}":[`),
  records: found.records,
  write: (from, to) =>
    found.write(from, to).then((pieces) => (from === 0 ? pieces : [COMMA].concat(pieces))),
  ending,
});

type Found = Pick<OpenAnswer, 'records' | 'write'> & { readonly total: number };

const listRecords = async (
  tree: Tree,
  resource: CollectionName,
  query: ListQuery,
): Promise<Found> => {
  const source = { store: tree.store, root: tree.root, collection: tree.root[resource] };
  const directories = directoriesOf(source.collection, query);
  const scope = Object.assign({ directories }, source);
  const found = await findRecords(scope, resource, query);
  const spots = found.spots;
  return {
    total: found.total,
    records: spots.length,
    write: (from, to) => writeRecords(source, spots.slice(from, to), query),
  };
};

const listTerms = async (tree: Tree, resource: TermsName, query: ListQuery): Promise<Found> => {
  const terms = tree.root[resource];
  const found = await findTermRecords(tree.store, { resource, terms }, query);
  return foundTerms(tree, resource, { total: found.total, places: found.places, shape: query });
};

type TermPlaces = {
  readonly total: number;
  readonly places: readonly number[];
  readonly shape: RecordShape;
};

const foundTerms = (tree: Tree, resource: TermsName, found: TermPlaces): Found => ({
  total: found.total,
  records: found.places.length,
  write: (from, to) => {
    const wanted = { places: found.places.slice(from, to), shape: found.shape };
    return writeTermRecords(tree.store, tree.root[resource], wanted);
  },
});

/** `prev` of a page past the end is the last page there is. */
const paginationOf = (query: ListQuery, total: number) => {
  const pages = Math.max(1, Math.ceil(total / query.limit));
  const prev = Math.min(query.page - 1, pages);
  return {
    page: query.page,
    limit: query.limit,
    pages,
    total,
    next: query.page < pages ? query.page + 1 : null,
    prev: prev >= 1 ? prev : null,
  };
};

/** What a record was looked up by is always shown (facts 1.2). */
const withKey = (shape: RecordShape, key: RecordKey): RecordShape => {
  const name = 'id' in key && key.shown === undefined ? 'id' : 'slug';
  const fields = shape.fields;
  if (fields === null || fields.indexOf(name) !== -1) return shape;
  return Object.assign({}, shape, { fields: fields.concat(name) });
};

type Read = { readonly key: RecordKey; readonly shape: RecordShape };

/** Finds a record; null when there is none. */
export const openRecord = async (
  tree: Tree,
  resource: ListResource,
  read: Read,
): Promise<OpenAnswer | null> => {
  const shape = withKey(read.shape, read.key);
  const found = isTermsName(resource)
    ? await findTerm(tree, resource, { key: read.key, shape })
    : await findRecord(tree, resource, { key: read.key, shape });
  return found === null ? null : openAnswer(resource, found, encodeText(']}'));
};

const findRecord = async (
  tree: Tree,
  resource: CollectionName,
  read: Read,
): Promise<Found | null> => {
  const collection = tree.root[resource];
  const key = read.key;
  const keys =
    'id' in key
      ? await findKeys(tree.store, collection.ids, { column: 'id', value: key.id })
      : await findKeys(tree.store, collection.slugs, { column: 'slug', value: key.slug });
  if (keys.length === 0) return null;
  const source = { store: tree.store, root: tree.root, collection };
  const write = (): Promise<Uint8Array[]> => writeRecords(source, keys.slice(0, 1), read.shape);
  return { total: 1, records: 1, write };
};

const findTerm = async (tree: Tree, resource: TermsName, read: Read): Promise<Found | null> => {
  const keys = await readTermKeys(tree.store, tree.root[resource]);
  const key = read.key;
  const place = 'id' in key ? keys.id.indexOf(key.id) : keys.slug.indexOf(key.slug);
  if (place === -1) return null;
  return foundTerms(tree, resource, { total: 1, places: [place], shape: read.shape });
};
