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

export type RecordKey = { readonly id: string } | { readonly slug: string };

/** The body of a list. Rejects with a QueryProblem for a query that cannot be answered. */
export const answerList = (
  store: TreeStore,
  resource: ListResource,
  asked: { readonly rawQuery: string; readonly nowMs: number },
): Promise<Uint8Array[]> =>
  withRoot(store, (root) => {
    const options = { max: root.max, nowMs: asked.nowMs };
    return listBody({ store, root }, resource, parseListQuery(resource, asked.rawQuery, options));
  });

/** The same of a query that was read; its limit may be beyond `lists.max`. */
export const answerQuery = (
  store: TreeStore,
  resource: ListResource,
  query: ListQuery,
): Promise<Uint8Array[]> => withRoot(store, (root) => listBody({ store, root }, resource, query));

/** The body of a read by id or slug; null when there is no such record. Rejects with a QueryProblem. */
export const answerRecord = (
  store: TreeStore,
  resource: ListResource,
  asked: { readonly key: RecordKey; readonly rawQuery: string },
): Promise<Uint8Array[] | null> =>
  withRoot(store, (root) => {
    const shape = withKey(parseRecordQuery(resource, asked.rawQuery), asked.key);
    return isTermsName(resource)
      ? termBody({ store, root }, resource, { key: asked.key, shape })
      : recordBody({ store, root }, resource, { key: asked.key, shape });
  });

const withRoot = <T>(store: TreeStore, work: (root: Root) => Promise<T>): Promise<T> => {
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

type Tree = { readonly store: TreeStore; readonly root: Root };

const listBody = async (
  tree: Tree,
  resource: ListResource,
  query: ListQuery,
): Promise<Uint8Array[]> => {
  const body = isTermsName(resource)
    ? await listTerms(tree, resource, query)
    : await listRecords(tree, resource, query);
  const meta = JSON.stringify({ pagination: paginationOf(query, body.total) });
  body.pieces.push(encodeText(`],"meta":${meta}}`));
  return [openingOf(resource)].concat(body.pieces);
};

const openingOf = (resource: ListResource): Uint8Array => encodeText(`{"${resource}":[`);

type ListBody = { readonly total: number; readonly pieces: Uint8Array[] };

const listRecords = async (
  tree: Tree,
  resource: CollectionName,
  query: ListQuery,
): Promise<ListBody> => {
  const source = { store: tree.store, root: tree.root, collection: tree.root[resource] };
  const directories = directoriesOf(source.collection, query);
  const scope = Object.assign({ directories }, source);
  const found = await findRecords(scope, resource, query);
  const pieces = await writeRecords(source, found.spots, query);
  return { total: found.total, pieces };
};

const listTerms = async (tree: Tree, resource: TermsName, query: ListQuery): Promise<ListBody> => {
  const terms = tree.root[resource];
  const found = await findTermRecords(tree.store, { resource, terms }, query);
  const wanted = { places: found.places, shape: query };
  const pieces = await writeTermRecords(tree.store, terms, wanted);
  return { total: found.total, pieces };
};

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
  const name = 'id' in key ? 'id' : 'slug';
  const fields = shape.fields;
  if (fields === null || fields.indexOf(name) !== -1) return shape;
  return Object.assign({}, shape, { fields: fields.concat(name) });
};

type Read = { readonly key: RecordKey; readonly shape: RecordShape };

const recordBody = async (
  tree: Tree,
  resource: CollectionName,
  read: Read,
): Promise<Uint8Array[] | null> => {
  const collection = tree.root[resource];
  const key = read.key;
  const keys =
    'id' in key
      ? await findKeys(tree.store, collection.ids, { column: 'id', value: key.id })
      : await findKeys(tree.store, collection.slugs, { column: 'slug', value: key.slug });
  if (keys.length === 0) return null;
  const source = { store: tree.store, root: tree.root, collection };
  const pieces = await writeRecords(source, keys.slice(0, 1), read.shape);
  return [openingOf(resource)].concat(pieces, encodeText(']}'));
};

const termBody = async (
  tree: Tree,
  resource: TermsName,
  read: Read,
): Promise<Uint8Array[] | null> => {
  const terms = tree.root[resource];
  const keys = await readTermKeys(tree.store, terms);
  const key = read.key;
  const place = 'id' in key ? keys.id.indexOf(key.id) : keys.slug.indexOf(key.slug);
  if (place === -1) return null;
  const wanted = { places: [place], shape: read.shape };
  const pieces = await writeTermRecords(tree.store, terms, wanted);
  return [openingOf(resource)].concat(pieces, encodeText(']}'));
};
