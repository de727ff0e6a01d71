// Writes the answers of declared queries as files. Those that no edit can have reached stay: of patterns, all but the
// slugs of tags and authors that were looked at, or are linked to a record that changed; of whole lists, the pages that
// hold none. Others are asked again and written where their bytes differ. What no query or slug has any more goes.
import { dirname } from 'node:path';
import { type DeclaredQuery, declaredFile, findDeclaredFile } from '../paths/declared-queries.ts';
import type { Resource } from '../paths/endpoints.ts';
import type { Root } from '../queries/tree.ts';
import type { TreeStore } from '../queries/tree-store.ts';
import type { Manifest } from '../store/manifest.ts';
import { type DeclaredPart, openSegments, pagesOf, partsOf } from './declared-pages.ts';
import { changedPages, hasChanges, putList } from './default-lists.ts';
import { type PassContext, tick } from './pass-context.ts';
import { readInParts } from './read-in-parts.ts';
import type { ListChanges, Pass } from './resource-pass.ts';

type Input = {
  readonly store: TreeStore;
  readonly root: Root;
  readonly passes: ReadonlyMap<Resource, Pass>;
  readonly declared: readonly DeclaredQuery[];
  /** The queries are others than before. */
  readonly isAnew: boolean;
};

export const writeDeclaredLists = async (context: PassContext, input: Input): Promise<void> => {
  const standing = standingFiles(context.manifest);
  const source = { ...input, segmentOf: openSegments(context.manifest) };
  for (const query of input.declared) {
    const isReached = await reachOf(context, input, query);
    for (const part of await partsOf(source, query)) {
      await writePart(context, input, { part, isReached, standing });
    }
  }
  for (const files of standing.values()) for (const file of files) remove(context, file);
};

/** Files by folder: each part has one of its own. What is left in the end goes. */
type Standing = Map<string, Set<string>>;

const standingFiles = (manifest: Manifest): Standing => {
  const folders: Standing = new Map();
  for (const { path } of manifest.files()) {
    if (findDeclaredFile(path) === null) continue;
    const files = folders.get(dirname(path)) ?? new Set();
    folders.set(dirname(path), files.add(path));
  }
  return folders;
};

const remove = ({ session, manifest }: PassContext, file: string): void => {
  session.remove(file);
  manifest.removeFile(file);
};

/** Tells which pages of a part an edit may have reached, counted from 1; null: none of them. */
type Reach = (part: DeclaredPart) => ((page: number) => boolean) | null;

const ALL = (): boolean => true;

type Written = {
  readonly part: DeclaredPart;
  readonly isReached: Reach;
  readonly standing: Standing;
};

const writePart = async (
  context: PassContext,
  { store, root }: Input,
  { part, isReached, standing }: Written,
): Promise<void> => {
  const folder = folderOf(part);
  const files = standing.get(folder);
  const reached = isReached(part);
  standing.delete(folder);
  if (reached === null && files !== undefined) return;
  const isAsked = (file: string, page: number): boolean =>
    files?.has(file) !== true || reached?.(page) !== false;
  for await (const { file, body } of pagesOf({ store, root }, part, isAsked)) {
    files?.delete(file);
    if (body === null) continue;
    putList(context, file, body);
    await tick();
  }
  for (const file of files ?? []) remove(context, file);
};

const folderOf = ({ query, segment }: DeclaredPart): string =>
  dirname(declaredFile(query, { page: 1, segment }));

/** Records that many edits are linked to are looked at no closer. */
const LINKED_MAX = 1_000;

const reachOf = async (
  context: PassContext,
  { root, passes, isAnew }: Input,
  { resource, parameters, pattern }: DeclaredQuery,
): Promise<Reach> => {
  const changesOf = (one: Resource): ListChanges => passes.get(one)?.lists ?? NO_CHANGES;
  const changes = changesOf(resource);
  const named = parameters.map(([name]) => name);
  if (isAnew || changes.isAll) return () => ALL;
  if (pattern !== null) {
    const family = pattern === 'tag' ? 'tags' : 'authors';
    const looked = passes.get(family)?.standing().ids ?? new Set();
    if (changesOf(family).isAll || changes.ids.length > LINKED_MAX) return () => ALL;
    const showing = (some: readonly string[]) => context.snapshot.linkedTo(family, some);
    const reached = new Set([...looked, ...(await readInParts(changes.ids, showing))]);
    return ({ ids }) => (ids.some((id) => reached.has(id)) ? ALL : null);
  }
  if (named.includes('filter')) {
    // Filters of posts look at tags and authors, too.
    const looked: readonly Resource[] = [resource, 'tags', 'authors'];
    return looked.some((one) => hasChanges(changesOf(one))) ? () => ALL : () => null;
  }
  if (!hasChanges(changes)) return () => null;
  if (named.includes('order')) return () => ALL;
  return ({ asked }) => changedPages(context, root, { resource, changes, limit: asked.limit });
};

const NO_CHANGES: ListChanges = { isAll: false, isMoved: false, variants: new Set(), ids: [] };
